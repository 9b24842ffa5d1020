import { useFetcher } from "@remix-run/react";
import { Banner, Box, Button, InlineStack, Spinner, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { useShop } from "./shop.tsx";
import { useRevalidateWhile } from "./use-revalidate-while.ts";

export interface AnalyticsImport {
  copying: number | null;
  copiedAt: Date | null;
  problem: string | null;
}

/** How fresh the organisation's figures are, and the button that renews them. */
export function AnalyticsImportStatus({ copy: { copying, copiedAt, problem } }: { copy: AnalyticsImport }) {
  const { t } = useTranslation("analytics");
  const { format } = useShop();
  const fetcher = useFetcher();
  useRevalidateWhile(copying !== null);
  return (
    <>
      {problem !== null && (
        <Banner tone="warning">
          <Text as="p" breakWord>
            {problem === "refused" ? t("copy.refused") : t("copy.failed", { reason: problem })}
          </Text>
        </Banner>
      )}
      <Box role="status" paddingInline={{ xs: "400", sm: "0" }}>
        <InlineStack gap="200" blockAlign="center">
          {copying !== null ? (
            <>
              <Spinner size="small" accessibilityLabel="" />
              <Text as="span">{t("copy.running", { rows: format.number(copying) })}</Text>
            </>
          ) : (
            copiedAt && (
              <Text as="span" tone="subdued">
                {t("copy.done", { date: format.dateTime(copiedAt) })}
              </Text>
            )
          )}
          {copying === null && (
            <Button
              variant="plain"
              loading={fetcher.state !== "idle"}
              onClick={() => fetcher.submit(null, { method: "post", action: "/app/analytics/sales" })}
            >
              {t("copy.refresh")}
            </Button>
          )}
        </InlineStack>
      </Box>
    </>
  );
}
