import { Badge, Button, Checkbox, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { TitledCard } from "#app/ui/titled-card.tsx";
import type { DraftProps } from "./draft.ts";

interface Props extends DraftProps {
  /** address of the checkout editor */
  editor: string;
}

/** The checkout: the merchant turns it on here and places the block in Shopify's own editor. */
export function CheckoutCard({ draft, onChange, editor }: Props) {
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
        <Badge tone="info">Shopify Plus</Badge>
      </div>
      <Text as="p">{t("checkout.plus")}</Text>
      <Checkbox
        label={t("on")}
        helpText={t("checkout.steps")}
        checked={touchpoints.checkout.on}
        onChange={(on) => onChange({ ...draft, touchpoints: { ...touchpoints, checkout: { on } } })}
      />
    </TitledCard>
  );
}
