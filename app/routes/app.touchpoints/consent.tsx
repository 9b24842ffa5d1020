import { BlockStack, Card, Text, TextField } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { storefrontSettings } from "#app/offers/storefront-settings.ts";
import type { Draft } from "./draft.ts";

export function Consent({ draft, onChange }: Draft) {
  const { t } = useTranslation("touchpoints");
  const fine = storefrontSettings.shape.consent.safeParse(draft.consent).success;
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t("consent.title")}
        </Text>
        <TextField
          label={t("consent.title")}
          labelHidden
          helpText={t("consent.help")}
          error={fine ? undefined : t("consent.problem")}
          value={draft.consent}
          onChange={(consent) => onChange({ ...draft, consent })}
          autoComplete="off"
        />
      </BlockStack>
    </Card>
  );
}
