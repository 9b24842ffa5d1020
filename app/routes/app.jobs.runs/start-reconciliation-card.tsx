import { useFetcher } from "@remix-run/react";
import { Banner, Button, ChoiceList, FormLayout, TextField } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import {
  requestableKinds,
  reconciliationForm,
  reconciliationProblems,
} from "#app/plans/reconciliation/reconciliation-form.ts";
import type {
  ReconciliationProblem,
  ReconciliationProblems,
} from "#app/plans/reconciliation/reconciliation-form.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import type { ActionResult } from "#app/ui/action-result.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useToast } from "#app/ui/use-toast.ts";
import { useActionResult } from "#app/ui/use-action-result.ts";
import { useFields } from "#app/ui/use-fields.ts";

/** `running`: one of the kind is under way; `over`: it had ended before it could be stopped. */
export type ReconciliationActionResult = ActionResult<
  "started" | "stopped",
  "running" | "over",
  keyof ReconciliationProblems,
  ReconciliationProblem
>;

interface Props {
  /** `YYYY-MM-DD` in the shop's time zone */
  today: string;
  firstDay: string;
}

/** Starts a run over the orders of a range of days. */
export function StartReconciliationCard({ today, firstDay }: Props) {
  const { t } = useTranslation("jobs");
  const toast = useToast();
  const fetcher = useFetcher<ReconciliationActionResult>();
  const { state, data } = fetcher;
  const isRunning = data?.state === "refused" && data.reason === "running";
  const { values, set, bind, onSubmit } = useFields({
    initial: { kind: "manual", start: today, end: today },
    validate: (entered) => {
      const form = reconciliationForm(today).safeParse(entered);
      return form.success ? {} : fieldProblems(form.error, reconciliationProblems);
    },
    result: data,
    messageOf: (problem) => t(`start.problem.${problem}`),
  });
  useActionResult(data, (result) => {
    const kind = requestableKinds.find((each) => each === values.kind);
    if (result.state === "success" && kind) toast(t("said.started", { kind: t(`run.kind.${kind}`) }));
  });

  function choose([kind = ""]: string[]) {
    set("kind", kind);
    set("start", kind === "backfill" ? firstDay : today);
  }

  return (
    <TitledCard title={t("start.title")}>
      {isRunning && state === "idle" && <Banner tone="info">{t("start.running")}</Banner>}
      <fetcher.Form method="post" onSubmit={onSubmit} noValidate>
        <input type="hidden" name="intent" value="start" />
        <input type="hidden" name="kind" value={values.kind} />
        <FormLayout>
          <ChoiceList
            title={t("start.kind")}
            titleHidden
            choices={requestableKinds.map((value) => ({
              value,
              label: t(`run.kind.${value}`),
              helpText: t(`start.help.${value}`),
            }))}
            selected={[values.kind]}
            onChange={choose}
          />
          <FormLayout.Group condensed>
            <TextField
              {...bind("start")}
              type="date"
              label={t("start.from")}
              min={firstDay}
              max={values.end}
            />
            <TextField {...bind("end")} type="date" label={t("start.to")} min={values.start} max={today} />
          </FormLayout.Group>
          <Button submit variant="primary" loading={state !== "idle"}>
            {t("start.start")}
          </Button>
        </FormLayout>
      </fetcher.Form>
    </TitledCard>
  );
}
