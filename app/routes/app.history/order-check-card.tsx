import { Banner, Button, FormLayout, Text, TextField } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { reconciliationForm, reconciliationProblems } from "#app/plans/reconciliation/reconciliation.ts";
import type { ReconciliationRunRow } from "#app/plans/reconciliation/reconciliation-list.server.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useActionResult } from "#app/ui/use-action-result.ts";
import { useFields } from "#app/ui/use-fields.ts";
import { useRevalidateWhile } from "#app/ui/use-revalidate-while.ts";
import { useToast } from "#app/ui/use-toast.ts";
import { useAction } from "#app/ui/use-action.ts";
import type { OrderCheckResult } from "../app.history_.check.tsx";
import { OrderCheckRow } from "./order-check-row.tsx";

interface Props {
  /** `YYYY-MM-DD` in the shop's time zone */
  today: string;
  firstDay: string;
  /** the latest that found something, run now or were started by staff */
  checks: ReconciliationRunRow[];
  /** when the hourly one ended last; null before the first */
  checkedAt: Date | null;
}

/** What the hourly check of orders found, and one for chosen days. */
export function OrderCheckCard({ today, firstDay, checks, checkedAt }: Props) {
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
