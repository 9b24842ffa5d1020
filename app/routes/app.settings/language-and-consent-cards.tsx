import { Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { TitledCard } from "#app/ui/titled-card.tsx";

/** What follows from the shop or is set elsewhere: languages, consent. */
export function LanguageAndConsentCards() {
  const { t } = useTranslation("settings");
  return (
    <>
      <TitledCard title={t("languages.title")}>
        <Text as="p">{t("languages.admin")}</Text>
        <Text as="p">
          {t("languages.shop")} <Link url="/app/touchpoints">{t("languages.link")}</Link>
        </Text>
      </TitledCard>
      <TitledCard title={t("consent.title")}>
        <Text as="p">
          {t("consent.body")} <Link url="/app/touchpoints">{t("consent.link")}</Link>
        </Text>
      </TitledCard>
    </>
  );
}
