import { Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Market } from "#app/offers/markets.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { Markets } from "./markets.tsx";

interface Props {
  /** version of the consent text */
  consent: string;
  markets: Promise<Market[] | null>;
}

/** What follows from the shop or is set elsewhere: languages, markets, consent. */
export function General({ consent, markets }: Props) {
  const { t } = useTranslation("settings");
  return (
    <>
      <TitledCard title={t("languages.title")}>
        <Text as="p">{t("languages.admin")}</Text>
        <Text as="p">
          {t("languages.shop")} <Link url="/app/touchpoints">{t("languages.link")}</Link>
        </Text>
      </TitledCard>
      <Markets markets={markets} />
      <TitledCard title={t("consent.title")}>
        <Text as="p">
          {t("consent.body", { version: consent })} <Link url="/app/touchpoints">{t("consent.link")}</Link>
        </Text>
      </TitledCard>
    </>
  );
}
