import { Badge, Box, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";

/** One line above every page for as long as the shop sells test insurance. It cannot be closed. */
export function TestMode() {
  const { t } = useTranslation();
  return (
    <Box background="bg-surface-caution" paddingInline={{ xs: "400", sm: "600" }} paddingBlock="200">
      <section aria-label={t("testMode.title")}>
        <InlineStack gap="200" blockAlign="center">
          <Badge tone="warning">{t("testMode.title")}</Badge>
          <Text as="p">{t("testMode.body")}</Text>
          <Link url="/app/go-live">{t("testMode.action")}</Link>
        </InlineStack>
      </section>
    </Box>
  );
}
