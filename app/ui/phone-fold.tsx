import { BlockStack, Button } from "@shopify/polaris";
import { type ReactNode, useId, useState } from "react";
import styles from "./phone-fold.module.css";

interface Props {
  /** the button that opens it on a phone */
  label: string;
  children: ReactNode;
}

/** What would push a list below the first screen of a phone: there it is behind a button, on wider screens it shows. */
export function PhoneFold({ label, children }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <BlockStack gap="200">
      <div className={styles.button}>
        <Button
          size="slim"
          disclosure={isOpen ? "up" : "down"}
          ariaExpanded={isOpen}
          ariaControls={id}
          onClick={() => setIsOpen(!isOpen)}
        >
          {label}
        </Button>
      </div>
      <div id={id} className={isOpen ? undefined : styles.closed}>
        {children}
      </div>
    </BlockStack>
  );
}
