import { Button, Checkbox, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Placement } from "#app/offers/placement.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import type { DraftProps } from "./draft.ts";
import { PlacementBadge } from "./placement-badge.tsx";

interface Props extends DraftProps {
  /** address of the checkout editor */
  editor: string;
  placement: Placement | null | undefined;
}

/** The checkout, of shops on Plus: the merchant turns it on here and places the block in Shopify's own editor. */
export function CheckoutCard({ draft, onChange, editor, placement }: Props) {
  const { t } = useTranslation("touchpoints");
  const { touchpoints } = draft;
  return (
    <TitledCard
      title={t("name.checkout")}
      action={
        <Button url={editor} target="_blank">
          {t("checkout.edit")}
        </Button>
      }
    >
      <Text as="p" tone="subdued">
        {t("checkout.about")}
      </Text>
      <div>
        <PlacementBadge placement={placement} surface="checkout" on={touchpoints.checkout.on} />
      </div>
      <Checkbox
        label={t("on")}
        helpText={t("checkout.steps")}
        checked={touchpoints.checkout.on}
        onChange={(on) => onChange({ ...draft, touchpoints: { ...touchpoints, checkout: { on } } })}
      />
    </TitledCard>
  );
}
