import { Badge, BlockStack, Box, Button, InlineStack, ProgressBar, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ReconciliationCounts } from "#app/plans/reconciliation/reconciliation.ts";
import type { ReconciliationRunRow } from "#app/plans/reconciliation/reconciliation-list.server.ts";
import { useShop } from "#app/ui/shop.tsx";
import { TechnicalDetail } from "#app/ui/technical-detail.tsx";
import { useAction } from "#app/ui/use-action.ts";

const tones = { queued: "info", running: "info", done: "success", stopped: undefined } as const;
/** All but the orders, whose number is the progress. The schema of the counts has no place in the browser. */
const names = [
  "missed",
  "behind",
  "resumed",
  "contracts",
  "different",
  "tasks",
] as const satisfies readonly (keyof ReconciliationCounts)[];

/** One run: its progress and what it found. */
export function OrderCheckRow({ run }: { run: ReconciliationRunRow }) {
  const { t } = useTranslation("history");
  const { format } = useShop();
  const fetcher = useAction();
  const { id, kind, from, until, state, total, counts, error, finishedAt } = run;
  const active = state === "queued" || state === "running";
  const found = names.filter((name) => counts[name] > 0);
  const progress = total === null ? null : total === 0 ? 100 : Math.min(100, (counts.orders / total) * 100);
  return (
    <Box paddingBlockStart="300" borderBlockStartWidth="025" borderColor="border-secondary">
      <BlockStack gap="200">
        <InlineStack align="space-between" gap="200" blockAlign="center">
          <InlineStack gap="200" blockAlign="center">
            <Text as="h3" variant="headingSm">
              {t(`check.run.kind.${kind}`)}
            </Text>
            <Badge tone={tones[state]}>{t(`check.run.state.${state}`)}</Badge>
          </InlineStack>
          {active && (
            <Button
              loading={fetcher.state !== "idle"}
              onClick={() =>
                fetcher.submit({ intent: "stop", id }, { method: "post", action: "/app/history/check" })
              }
            >
              {t("check.run.stop")}
            </Button>
          )}
        </InlineStack>
        <Text as="p" tone="subdued">
          {t("check.run.range", { from: format.dateTime(from), until: format.dateTime(until) })}
          {finishedAt !== null && ` · ${t("check.run.finished", { date: format.dateTime(finishedAt) })}`}
        </Text>
        <div role="status" id={`run-${id}`}>
          <Text as="p">
            {total === null
              ? t("check.run.orders", { count: counts.orders })
              : t("check.run.ordersOf", { done: format.number(counts.orders), total: format.number(total) })}
          </Text>
        </div>
        {active && progress !== null && (
          <ProgressBar progress={progress} size="small" ariaLabelledBy={`run-${id}`} />
        )}
        {found.length > 0 ? (
          <InlineStack gap="200">
            {found.map((name) => (
              <Badge key={name} tone={name === "tasks" ? "attention" : undefined}>
                {t(`check.run.count.${name}`, { count: counts[name] })}
              </Badge>
            ))}
          </InlineStack>
        ) : (
          state === "done" && <Text as="p">{t("check.run.nothing")}</Text>
        )}
        {error !== null && active && (
          <>
            <Text as="p" tone="caution">
              {t("check.run.waits")}
            </Text>
            <TechnicalDetail>{error}</TechnicalDetail>
          </>
        )}
      </BlockStack>
    </Box>
  );
}
