import { Link, List, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { TitledCard } from "#app/ui/titled-card.tsx";

/** Where the shop's staff sell insurance: blocks on pages of the Shopify admin. */
export function StaffCard() {
  const { t } = useTranslation("touchpoints");
  return (
    <TitledCard title={t("staff.title")} help={t("staff.help")}>
      <List>
        <List.Item>{t("staff.draftOrder")}</List.Item>
        <List.Item>{t("staff.order")}</List.Item>
      </List>
      <Text as="p">{t("staff.pin")}</Text>
      <div>
        <Link url="/app/settings">{t("staff.settings")}</Link>
      </div>
    </TitledCard>
  );
}
