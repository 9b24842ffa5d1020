import { TextField } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { storefrontSettings } from "#app/offers/storefront-settings.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import type { DraftProps } from "./draft.ts";

export function ConsentCard({ draft, onChange }: DraftProps) {
  const { t } = useTranslation("touchpoints");
  const fine = storefrontSettings.shape.consent.safeParse(draft.consent).success;
  return (
    <TitledCard title={t("consent.title")}>
      <TextField
        label={t("consent.title")}
        labelHidden
        helpText={t("consent.help")}
        error={fine ? undefined : t("consent.problem")}
        value={draft.consent}
        onChange={(consent) => onChange({ ...draft, consent })}
        autoComplete="off"
      />
    </TitledCard>
  );
}
