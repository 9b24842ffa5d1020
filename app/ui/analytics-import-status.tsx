import { Banner, Box, Button, InlineStack, Spinner, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ImportStatus } from "#app/analytics/view.server.ts";
import { useShop } from "./shop.tsx";
import { TechnicalDetail } from "./technical-detail.tsx";
import { useRevalidateWhile } from "./use-revalidate-while.ts";
import { useAction } from "./use-action.ts";

/** How fresh the organisation's figures are, and the button that renews them. */
export function AnalyticsImportStatus({ rowsSoFar, succeededAt, problem }: ImportStatus) {
  const { t } = useTranslation("analytics");
  const { format } = useShop();
  const fetcher = useAction();
  useRevalidateWhile(rowsSoFar !== null);
  return (
    <>
      {problem !== null && (
        <Banner tone="warning">
          <Text as="p">{t(`importStatus.${problem === "refused" ? "refused" : "failed"}`)}</Text>
          {problem !== "refused" && <TechnicalDetail>{problem}</TechnicalDetail>}
        </Banner>
      )}
      <Box role="status" paddingInline={{ xs: "400", sm: "0" }}>
        <InlineStack gap="200" blockAlign="center">
          {rowsSoFar !== null ? (
            <>
              <Spinner size="small" accessibilityLabel="" />
              <Text as="span">{t("importStatus.running", { rows: format.number(rowsSoFar) })}</Text>
            </>
          ) : (
            succeededAt && (
              <Text as="span" tone="subdued">
                {t("importStatus.done", { date: format.dateTime(succeededAt) })}
              </Text>
            )
          )}
          {rowsSoFar === null && (
            <Button
              variant="plain"
              loading={fetcher.state !== "idle"}
              onClick={() => fetcher.submit(null, { method: "post", action: "/app/analytics/sales" })}
            >
              {t("importStatus.refresh")}
            </Button>
          )}
        </InlineStack>
      </Box>
    </>
  );
}
