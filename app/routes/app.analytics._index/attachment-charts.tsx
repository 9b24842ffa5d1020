import { Box, InlineGrid, InlineStack } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import {
  addFigures,
  type AttachmentFigures,
  type AttachmentOverview,
  attachmentRate,
  type Dimension,
  dimensions,
} from "#app/analytics/attachment.ts";
import { Chart } from "#app/ui/chart.tsx";
import { DownloadButton } from "#app/ui/exportable-list.tsx";
import { MetricCards } from "#app/ui/metric-cards.tsx";
import type { Statistics } from "#app/analytics/statistics.server.ts";
import { CourseCharts, SoldCharts, SuggestionsCard } from "./sold-charts.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useTouchpointText } from "#app/ui/use-plan-texts.ts";

interface AttachmentChartsProps {
  statistics: Statistics;
}

/** The figures of a period: in total, over time, and by dimension. */
export function AttachmentCharts({ statistics }: AttachmentChartsProps) {
  const { overview, sold, course, suggestions } = statistics;
  const { t } = useTranslation("analytics");
  const { format, currency } = useShop();
  const rows = useRows(overview);
  const { total } = overview;
  const series = [
    { key: "rate", label: t("attachment.figure.rate"), format: format.percent },
    ...(["eligible", "seen", "chosen", "paid", "cancelled"] as const).map((key) => ({
      key,
      label: t(`attachment.figure.${key}`),
      format: format.number,
      tableOnly: true,
      wideOnly: key !== "eligible" && key !== "paid",
    })),
  ];
  return (
    <>
      <Box paddingInline={{ xs: "400", sm: "0" }}>
        <InlineStack align="end">
          <DownloadButton file="/app/analytics.csv" />
        </InlineStack>
      </Box>
      <MetricCards
        metrics={[
          {
            label: t("attachment.figure.premium"),
            value: format.money(total.premiumMinor, currency),
            help: t("attachment.premiumPerOrder", {
              amount: format.money(
                sold.insuredOrders === 0 ? 0 : Math.round(sold.premiumMinor / sold.insuredOrders),
                currency,
              ),
              count: sold.insuredOrders,
            }),
          },
          {
            label: t("attachment.figure.rate"),
            value: format.percent(attachmentRate(total) ?? 0),
            help: t("attachment.rateHelp", {
              paid: format.number(total.paid),
              eligible: format.number(total.eligible),
            }),
          },
          {
            label: t("attachment.figure.cancelled"),
            value: format.number(total.cancelled),
            help: t("attachment.ofPaid", {
              share: format.percent(total.paid === 0 ? 0 : total.cancelled / total.paid),
            }),
          },
        ]}
      />
      <SuggestionsCard suggestions={suggestions} />
      <InlineGrid columns={{ xs: 1, lg: 2 }} gap="400">
        {course && <CourseCharts course={course} />}
        <FunnelChart total={total} />
        {dimensions.map((dimension) => {
          if (dimension === "day" && course !== null) return null;
          if (rows[dimension].length === 0) return null;
          const by = dimension === "day" ? rows.by : dimension;
          return (
            <Chart
              key={dimension}
              // A line needs two points.
              kind={dimension === "day" && rows.day.length > 1 ? "lines" : "bars"}
              title={t(`attachment.by.${by}`)}
              labelTitle={t(`attachment.label.${by}`)}
              {...(dimension === "format" ? { help: t("attachment.formatHelp") } : {})}
              rows={rows[dimension]}
              series={series}
            />
          );
        })}
        <SoldCharts sold={sold} eligible={total.eligible} />
      </InlineGrid>
    </>
  );
}

/** How many of the insurable products were offered insurance, and how many kept it. */
function FunnelChart({ total }: { total: AttachmentFigures }) {
  const { t } = useTranslation("analytics");
  const { format } = useShop();
  const { eligible, seen, chosen, paid, cancelled } = total;
  const steps = { eligible, seen, chosen, paid, inForce: paid - cancelled };
  return (
    <Chart
      kind="bars"
      title={t("attachment.by.funnel")}
      labelTitle={t("attachment.label.funnel")}
      rows={(["eligible", "seen", "chosen", "paid", "inForce"] as const).map((step) => ({
        id: step,
        label: t(`attachment.figure.${step}`),
        values: { count: steps[step], share: eligible === 0 ? 0 : steps[step] / eligible },
      }))}
      series={[
        { key: "count", label: t("attachment.figure.count"), format: format.number },
        { key: "share", label: t("attachment.label.share"), format: format.percent, tableOnly: true },
      ]}
    />
  );
}

type Row = { id: string; label: string; values: Record<string, number> };

function useRows({
  days,
  categories,
  touchpoints: places,
  formats,
  products,
  bands,
}: AttachmentOverview): { by: "day" | "month" } & Record<Dimension, Row[]> {
  const { t } = useTranslation(["analytics", "touchpoints"]);
  const { format, currency } = useShop();
  const row = (id: string, label: string, figures: AttachmentFigures): Row => {
    const { eligible, seen, chosen, paid, cancelled } = figures;
    return {
      id,
      label,
      values: { eligible, seen, chosen, paid, cancelled, rate: attachmentRate(figures) ?? 0 },
    };
  };
  const place = useTouchpointText();
  const formatNames: Partial<Record<string, string>> = t("touchpoints:format", { returnObjects: true });
  const formatName = (format: string) => formatNames[format] ?? t("attachment.unknown");
  const band = (fromMinor: number, toMinor: number | null) => {
    const from = format.money(fromMinor, currency);
    if (toMinor === null) return t("attachment.over", { from });
    const to = format.money(toMinor, currency);
    return fromMinor === 0 ? t("attachment.under", { to }) : t("attachment.between", { from, to });
  };
  const { by, points } = overTime(days);
  const moment = by === "day" ? format.date : format.month;
  return {
    by,
    day: points.map((one) => row(one.at, moment(one.at), one)),
    category: categories.map((one) => row(one.category, one.category, one)),
    touchpoint: places.map((one) => row(one.touchpoint, place(one.touchpoint), one)),
    format: formats.map((one) => row(one.format, formatName(one.format), one)),
    product: products.map((one) => row(one.product, one.title, one)),
    band: bands.map((one) => row(String(one.fromMinor), band(one.fromMinor, one.toMinor), one)),
  };
}

/** More points than this are not readable as a line. */
const MOST_DAYS = 92;

interface OverTime {
  by: "day" | "month";
  /** oldest first; `at` is `YYYY-MM-DD` or `YYYY-MM` */
  points: (AttachmentFigures & { at: string })[];
}

/** The figures by day, or by month where there are many days. @param days oldest first */
export function overTime(days: (AttachmentFigures & { day: string })[]): OverTime {
  if (days.length <= MOST_DAYS)
    return { by: "day", points: days.map(({ day, ...rest }) => ({ at: day, ...rest })) };
  const months = new Map<string, AttachmentFigures>();
  for (const { day, ...one } of days) {
    const month = day.slice(0, 7);
    const sum = months.get(month);
    months.set(month, sum ? addFigures(sum, one) : one);
  }
  return { by: "month", points: [...months].map(([at, rest]) => ({ at, ...rest })) };
}
