import {
  Banner,
  Button,
  FormLayout,
  Text,
  TextField,
  Badge,
  BlockStack,
  Box,
  InlineStack,
  ProgressBar,
} from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { reconciliationForm, reconciliationProblems } from "#app/plans/reconciliation/reconciliation.ts";
import type { ReconciliationRunRow } from "#app/plans/reconciliation/rows.server.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useAction, useActionResult, useRevalidateWhile, useToast } from "#app/ui/use-action.ts";
import { useFields } from "#app/ui/use-fields.ts";
import type { ReconciliationCounts } from "#app/plans/reconciliation/reconciliation.ts";
import { TechnicalDetail } from "#app/ui/details.tsx";
import type { OrderCheckResult } from "../app.history_.check.tsx";

interface OrderCheckCardProps {
  /** `YYYY-MM-DD` in the shop's time zone */
  today: string;
  firstDay: string;
  /** the latest that found something, run now or were started by staff */
  checks: ReconciliationRunRow[];
  /** when the hourly one ended last; null before the first */
  checkedAt: Date | null;
}

/** What the hourly check of orders found, and one for chosen days. */
export function OrderCheckCard({ today, firstDay, checks, checkedAt }: OrderCheckCardProps) {
  const { t } = useTranslation("history");
  const { format } = useShop();
  const toast = useToast();
  const fetcher = useAction<OrderCheckResult>();
  const { state, data } = fetcher;
  const isRunning = data?.state === "refused" && data.reason === "running";
  useRevalidateWhile(checks.some((check) => check.state === "queued" || check.state === "running"));
  const { values, bind, onSubmit } = useFields({
    initial: { kind: "manual", start: today, end: today },
    validate: (entered) => {
      const form = reconciliationForm(today).safeParse(entered);
      return form.success ? {} : fieldProblems(form.error, reconciliationProblems);
    },
    result: data,
    messageOf: (problem) => t(`check.problem.${problem}`),
  });
  useActionResult(data, (result) => {
    if (result.state === "success") toast(t("said.started"));
  });

  return (
    <TitledCard title={t("check.title")} help={t("check.help")}>
      <Text as="p">
        {checkedAt === null ? t("check.never") : t("check.last", { date: format.dateTime(checkedAt) })}
      </Text>
      {isRunning && state === "idle" && <Banner tone="info">{t("check.running")}</Banner>}
      <fetcher.Form method="post" action="/app/history/check" onSubmit={onSubmit} noValidate>
        <input type="hidden" name="intent" value="start" />
        <input type="hidden" name="kind" value={values.kind} />
        <FormLayout>
          <FormLayout.Group condensed>
            <TextField
              {...bind("start")}
              type="date"
              label={t("check.from")}
              min={firstDay}
              max={values.end}
            />
            <TextField {...bind("end")} type="date" label={t("check.to")} min={values.start} max={today} />
          </FormLayout.Group>
          <Button submit loading={state !== "idle"}>
            {t("check.start")}
          </Button>
        </FormLayout>
      </fetcher.Form>
      {checks.map((check) => (
        <OrderCheckRow key={check.id} run={check} />
      ))}
    </TitledCard>
  );
}

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
function OrderCheckRow({ run }: { run: ReconciliationRunRow }) {
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
