import { useFetcher } from "@remix-run/react";
import { Banner, Button, ChoiceList, FormLayout, TextField } from "@shopify/polaris";
import type { FormEvent } from "react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { askedKinds, sweepForm, sweepProblemsOf } from "#app/plans/reconciliation/reconciliation-form.ts";
import type { AskedKind, SweepProblems } from "#app/plans/reconciliation/reconciliation-form.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useToast } from "#app/ui/toast.ts";
import { useAnswer } from "#app/ui/use-answer.ts";
import type { Answer } from "./answer.ts";

interface Props {
  /** `YYYY-MM-DD` in the shop's time zone */
  today: string;
  firstDay: string;
}

/** Starts a walk over the orders of a range of days. */
export function StartCard({ today, firstDay }: Props) {
  const { t } = useTranslation("jobs");
  const toast = useToast();
  const fetcher = useFetcher<Answer>();
  const { state, data } = fetcher;
  const [kind, setKind] = useState<AskedKind>("asked");
  const [start, setStart] = useState(today);
  const [end, setEnd] = useState(today);
  const [found, setFound] = useState<SweepProblems | null>(null);
  const problems = found ?? (data?.state === "invalid" ? data.problems : {});
  useAnswer(fetcher.data, (answer) => {
    if (answer.state === "started") toast(t("said.started"));
  });

  function validate(event: FormEvent) {
    const entered = sweepForm(today).safeParse({ kind, start, end });
    setFound(entered.success ? null : sweepProblemsOf(entered.error));
    if (!entered.success) event.preventDefault();
  }
  function choose([chosen]: string[]) {
    const next = askedKinds.find((each) => each === chosen) ?? "asked";
    setKind(next);
    setStart(next === "backfill" ? firstDay : today);
  }

  return (
    <TitledCard title={t("start.title")}>
      {data?.state === "running" && state === "idle" && <Banner tone="info">{t("start.running")}</Banner>}
      <fetcher.Form method="post" onSubmit={validate} noValidate>
        <FormLayout>
          <input type="hidden" name="kind" value={kind} />
          <ChoiceList
            title={t("start.kind")}
            titleHidden
            choices={askedKinds.map((value) => ({
              value,
              label: t(`run.kind.${value}`),
              helpText: t(`start.help.${value}`),
            }))}
            selected={[kind]}
            onChange={choose}
          />
          <FormLayout.Group condensed>
            <TextField
              type="date"
              name="start"
              label={t("start.from")}
              value={start}
              min={firstDay}
              max={end}
              onChange={setStart}
              error={problems.start && t(`start.problem.${problems.start}`)}
              autoComplete="off"
            />
            <TextField
              type="date"
              name="end"
              label={t("start.to")}
              value={end}
              min={start}
              max={today}
              onChange={setEnd}
              error={problems.end && t(`start.problem.${problems.end}`)}
              autoComplete="off"
            />
          </FormLayout.Group>
          <Button submit variant="primary" loading={state !== "idle"}>
            {t("start.start")}
          </Button>
        </FormLayout>
      </fetcher.Form>
    </TitledCard>
  );
}
