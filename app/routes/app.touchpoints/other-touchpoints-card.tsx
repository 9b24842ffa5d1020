import { Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { TitledCard } from "#app/ui/titled-card.tsx";

/** Touchpoints that are not switched here, and where they are. */
export function OtherTouchpointsCard() {
  const { t } = useTranslation("touchpoints");
  return (
    <TitledCard title={t("others.title")}>
      <Text as="p">{t("others.orderStatus")}</Text>
      <Link url="/app/leads">{t("others.leads")}</Link>
    </TitledCard>
  );
}
