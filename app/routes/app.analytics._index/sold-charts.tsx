import { List } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { attachmentRate } from "#app/analytics/attachment.ts";
import type { Course, SoldGroup, SoldInsurance, Suggestion } from "#app/analytics/sold-insurance.ts";
import { Chart } from "#app/ui/chart.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useSuggestionText } from "#app/ui/use-suggestion-text.ts";

/** What fixed rules suggest, each with the numbers it rests on. */
export function SuggestionsCard({ suggestions }: { suggestions: Suggestion[] }) {
  const { t } = useTranslation("analytics");
  const say = useSuggestionText();
  if (suggestions.length === 0) return null;
  return (
    <TitledCard title={t("attachment.suggestion.title")}>
      <List>
        {suggestions.map((suggestion) => (
          <List.Item key={suggestion.kind}>{say(suggestion)}</List.Item>
        ))}
      </List>
    </TitledCard>
  );
}

/** Rate and premium over the period, beside the period before it. */
export function CourseCharts({ course: { by, points } }: { course: Course }) {
  const { t } = useTranslation("analytics");
  const { format, currency } = useShop();
  const money = (minor: number) => format.money(minor, currency);
  const hasPrevious = points.some(({ previous }) => previous.eligible > 0);
  const plots = [
    {
      key: "rate" as const,
      write: format.percent,
      read: (figures: Course["points"][number]["current"]) => attachmentRate(figures) ?? 0,
    },
    {
      key: "premium" as const,
      write: money,
      read: (figures: Course["points"][number]["current"]) => figures.premiumMinor,
    },
  ];
  return plots.map(({ key, write, read }) => (
    <Chart
      key={key}
      kind={points.length > 1 ? "lines" : "bars"}
      title={t(`attachment.course.${key}.${by}`)}
      labelTitle={t(`attachment.label.${by}`)}
      rows={points.map(({ at, current, previous }) => ({
        id: at,
        label: format.date(at),
        values: { current: read(current), previous: read(previous) },
      }))}
      series={[
        { key: "current", label: t(`attachment.figure.${key}`), format: write },
        ...(hasPrevious ? [{ key: "previous", label: t("attachment.course.previous"), format: write }] : []),
      ]}
    />
  ));
}

/** What was sold by term and formula, and how soon contracts ended. */
export function SoldCharts({ sold, eligible }: { sold: SoldInsurance; eligible: number }) {
  const { t } = useTranslation("analytics");
  const { format, currency } = useShop();
  const groups = (by: "term" | "formula", values: SoldGroup[], nameOf: (value: string) => string) =>
    values.length > 0 && (
      <Chart
        kind="bars"
        title={t(`attachment.by.${by}`)}
        labelTitle={t(`attachment.label.${by}`)}
        rows={values.map(({ value, lines, premiumMinor }) => ({
          id: value,
          label: value === "" ? t("attachment.unknown") : nameOf(value),
          values: { share: eligible === 0 ? 0 : lines / eligible, lines, premium: premiumMinor },
        }))}
        series={[
          { key: "share", label: t("attachment.figure.rate"), format: format.percent },
          { key: "lines", label: t("attachment.figure.paid"), format: format.number, tableOnly: true },
          {
            key: "premium",
            label: t("attachment.figure.premium"),
            format: (minor) => format.money(minor, currency),
            tableOnly: true,
          },
        ]}
      />
    );
  return (
    <>
      {groups("term", sold.terms, (months) => t("attachment.months", { count: Number(months) }))}
      {groups("formula", sold.formulas, (formula) => formula)}
      {sold.ends.some(({ withdrawn, cancelled }) => withdrawn + cancelled > 0) && (
        <Chart
          kind="bars"
          title={t("attachment.by.end")}
          labelTitle={t("attachment.label.end")}
          rows={sold.ends.map(({ from, to, withdrawn, cancelled }) => ({
            id: String(from),
            label:
              to === null ? t("attachment.daysFrom", { from }) : t("attachment.daysBetween", { from, to }),
            values: { withdrawn, cancelled },
          }))}
          series={[
            { key: "withdrawn", label: t("attachment.figure.withdrawn"), format: format.number },
            { key: "cancelled", label: t("attachment.figure.cancelled"), format: format.number },
          ]}
        />
      )}
    </>
  );
}
