import { BlockStack, Box, Card, InlineStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { HistoryEntry, ShownUnit } from "#app/plans/order-page.server.ts";
import { PlanState } from "#app/ui/plan-state.tsx";
import { useShop } from "#app/ui/shop.tsx";

interface Props {
  history: HistoryEntry[];
  units: ShownUnit[];
}

/** What happened to each plan: when, why, at which attempt, and what the service answered. */
export function HistoryCard({ history, units }: Props) {
  const { t } = useTranslation(["orders", "plans"]);
  const { format } = useShop();
  if (history.length === 0) return null;
  const position = (entry: HistoryEntry) =>
    units.findIndex(({ lineId, unit }) => lineId === entry.lineId && unit === entry.unit) + 1;
  return (
    <Card padding="0">
      <Box padding="400">
        <Text as="h2" variant="headingMd">
          {t("orders:page.history")}
        </Text>
      </Box>
      <ol style={{ listStyle: "none", margin: 0, padding: 0 }}>
        {history.map((entry) => (
          <li key={entry.id}>
            <Box
              paddingInline="400"
              paddingBlock="200"
              borderBlockStartWidth="025"
              borderColor="border-secondary"
            >
              <BlockStack gap="050">
                <InlineStack gap="200" blockAlign="center">
                  <Text as="span" tone="subdued" numeric>
                    {format.dateTime(entry.at)}
                  </Text>
                  {units.length > 1 && (
                    <Text as="span">{t("orders:history.plan", { number: position(entry) })}</Text>
                  )}
                  <PlanState state={entry.after} />
                </InlineStack>
                <Text as="span">
                  {t(`plans:cause.${entry.cause}`)}
                  {entry.attempt > 1 && ` · ${t("orders:history.attempt", { number: entry.attempt })}`}
                </Text>
                {entry.note !== null && entry.note !== "" && (
                  <Text as="span" tone="subdued" breakWord>
                    {entry.note}
                  </Text>
                )}
              </BlockStack>
            </Box>
          </li>
        ))}
      </ol>
    </Card>
  );
}
