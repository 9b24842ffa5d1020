import { Badge, Box, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { useRevalidateWhile } from "./use-revalidate-while.ts";

/** One line above every page for as long as the shop sells test insurance. It cannot be closed. */
export function TestMode({ isGoingLive }: { isGoingLive: boolean }) {
  const { t } = useTranslation();
  // It ends by itself, on whichever page the merchant is then.
  useRevalidateWhile(isGoingLive);
  return (
    <Box background="bg-surface-caution" paddingInline={{ xs: "400", sm: "600" }} paddingBlock="200">
      <section aria-label={t("testMode.title")}>
        <InlineStack gap="200" blockAlign="center">
          <Badge tone="warning">{t("testMode.title")}</Badge>
          <Text as="p">{t(isGoingLive ? "testMode.ending" : "testMode.body")}</Text>
          <Link url="/app/go-live">{t(isGoingLive ? "testMode.progress" : "testMode.action")}</Link>
        </InlineStack>
      </section>
    </Box>
  );
}
