import { Checkbox } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { TitledCard } from "#app/ui/titled-card.tsx";
import type { DraftProps } from "./draft.ts";

/** Whether customers who buy for a company are offered insurance in the theme. */
export function CompaniesCard({ draft, onChange }: DraftProps) {
  const { t } = useTranslation("touchpoints");
  return (
    <TitledCard title={t("companies.title")}>
      <Checkbox
        label={t("companies.offer")}
        helpText={t("companies.help")}
        checked={draft.companies}
        onChange={(companies) => onChange({ ...draft, companies })}
      />
    </TitledCard>
  );
}
