import { Checkbox, FormLayout, InlineStack, Select, Tag, TextField } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { CountryOption } from "#app/leads/countries.server.ts";
import { type MerchantSettings, saleSettings } from "#app/merchants/settings.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";

interface Props {
  sale: MerchantSettings["sale"];
  onChange: (sale: MerchantSettings["sale"]) => void;
  countries: CountryOption[];
  /** the shop's own; empty: not known */
  country: string;
}

/** What may be sold, where and to whom: each rule holds at every touchpoint. */
export function SaleCard({ sale, onChange, countries, country }: Props) {
  const { t } = useTranslation("settings");
  const nameOf = useSaleCountryName(countries);
  return (
    <TitledCard title={t("sale.title")} help={t("sale.help")}>
      <FormLayout>
        <Select
          label={t("sale.countries")}
          helpText={t("sale.countriesHelp", { country: nameOf(country) })}
          value=""
          options={[
            { value: "", label: t("sale.addCountry") },
            ...countries
              .filter(({ value }) => !sale.countries.includes(value))
              .map(({ value }) => ({ value, label: nameOf(value) })),
          ]}
          onChange={(value) => {
            if (value !== "") onChange({ ...sale, countries: [...sale.countries, value] });
          }}
        />
        {sale.countries.length > 0 && (
          <InlineStack gap="200">
            {sale.countries.map((code) => (
              <Tag
                key={code}
                onRemove={() =>
                  onChange({ ...sale, countries: sale.countries.filter((each) => each !== code) })
                }
              >
                {nameOf(code)}
              </Tag>
            ))}
          </InlineStack>
        )}
        <Checkbox
          label={t("sale.companies")}
          helpText={t("sale.companiesHelp")}
          checked={sale.companies}
          onChange={(companies) => onChange({ ...sale, companies })}
        />
        <Checkbox
          label={t("sale.monthly")}
          helpText={t("sale.monthlyHelp")}
          checked={sale.monthly}
          onChange={(monthly) => onChange({ ...sale, monthly })}
        />
        <TextField
          label={t("sale.registrationNumber")}
          helpText={t("sale.registrationNumberHelp")}
          value={sale.registrationNumber}
          maxLength={100}
          onChange={(registrationNumber) => onChange({ ...sale, registrationNumber })}
          autoComplete="off"
        />
        <TextField
          label={t("sale.maxQuoteAgeDays")}
          helpText={t("sale.maxQuoteAgeDaysHelp")}
          type="number"
          min={1}
          max={3_650}
          value={sale.maxQuoteAgeDays === null ? "" : String(sale.maxQuoteAgeDays)}
          error={
            saleSettings.shape.maxQuoteAgeDays.safeParse(sale.maxQuoteAgeDays).success
              ? undefined
              : t("sale.maxQuoteAgeDaysInvalid")
          }
          onChange={(days) => onChange({ ...sale, maxQuoteAgeDays: days === "" ? null : Number(days) })}
          autoComplete="off"
        />
      </FormLayout>
    </TitledCard>
  );
}

/** France alone is its metropolitan part here: its overseas territories are countries of their own in the list. */
export function useSaleCountryName(countries: CountryOption[]): (code: string) => string {
  const { t } = useTranslation("settings");
  return (code) =>
    code === "FR" ? t("sale.metropolitan") : (countries.find(({ value }) => value === code)?.label ?? code);
}
