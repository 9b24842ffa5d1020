import { ActionList, type ActionListItemDescriptor, Button, Popover } from "@shopify/polaris";
import { MenuHorizontalIcon } from "@shopify/polaris-icons";
import { useState } from "react";

interface Props {
  /** null: an icon alone */
  label: string | null;
  /** the label with its subject, if a page has several */
  name: string;
  items: ActionListItemDescriptor[];
}

/** A button that opens the less useful actions of a row or a card. */
export function MenuButton({ label, name, items }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover
      active={isOpen}
      onClose={() => setIsOpen(false)}
      activator={
        <Button
          {...(label === null
            ? { icon: MenuHorizontalIcon, variant: "tertiary" as const, size: "micro" as const }
            : { disclosure: true as const, children: label })}
          ariaExpanded={isOpen}
          accessibilityLabel={name}
          onClick={() => setIsOpen(!isOpen)}
        />
      }
    >
      <ActionList onActionAnyItem={() => setIsOpen(false)} items={items} />
    </Popover>
  );
}
