import { BlockStack, Card, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";

/** Touchpoints that are not switched here, and where they are. */
export function OtherTouchpoints() {
  const { t } = useTranslation("touchpoints");
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd">
          {t("others.title")}
        </Text>
        <Text as="p">{t("others.checkout")}</Text>
        <Link url="/app/leads">{t("others.leads")}</Link>
      </BlockStack>
    </Card>
  );
}
