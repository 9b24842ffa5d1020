import { InlineStack, Link, List, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { TitledCard } from "#app/ui/titled-card.tsx";

/** The Admin API has no operation for return rules, so the merchant does it: what, where and in which order. */
export function FinalSaleCard() {
  const { t } = useTranslation("settings");
  return (
    <TitledCard title={t("finalSale.title")}>
      <Text as="p">{t("finalSale.body")}</Text>
      <List type="number">
        <List.Item>{t("finalSale.collection")}</List.Item>
        <List.Item>{t("finalSale.rule")}</List.Item>
      </List>
      <InlineStack gap="400">
        <Link url="shopify://admin/collections/new" target="_top">
          {t("finalSale.newCollection")}
        </Link>
        <Link url="shopify://admin/settings/legal" target="_top">
          {t("finalSale.policies")}
        </Link>
      </InlineStack>
    </TitledCard>
  );
}
