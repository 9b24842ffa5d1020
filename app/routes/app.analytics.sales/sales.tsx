import { Banner } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { organisationFilterNames } from "#app/analytics/filter-names.ts";
import type { SaleRow, SalesOverview } from "#app/analytics/sales.server.ts";
import type { ListPage } from "#app/platform/list-page.ts";
import { Chart } from "#app/ui/chart.tsx";
import { ExportableList } from "#app/ui/exportable-list.tsx";
import { MetricCards } from "#app/ui/metric-cards.tsx";
import { EmptyList, EmptyState } from "#app/ui/empty-state.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useFormatEuros } from "#app/ui/use-format-euros.ts";
import { SaleTable } from "./sale-table.tsx";

export function Sales({ overview, page }: { overview: SalesOverview; page: ListPage<SaleRow> }) {
  const { t } = useTranslation("analytics");
  const { format } = useShop();
  const euros = useFormatEuros();
  const { total, months, stores } = overview;
  const series = [
    { key: "sales", label: t("sales.figures.sales"), format: format.number },
    { key: "front", label: t("sales.figures.front"), format: euros },
  ];
  const values = ({ sales, frontMinor }: { sales: number; frontMinor: number }) => ({
    sales,
    front: frontMinor,
  });
  return (
    <>
      <MetricCards
        metrics={[
          {
            label: t("sales.figures.sales"),
            value: format.number(total.sales),
            help: t("sales.figures.salesHelp", { count: total.cancelled }),
          },
          { label: t("sales.figures.premium"), value: euros(total.priceMinor) },
          {
            label: t("sales.figures.front"),
            value: euros(total.frontMinor),
            help: t("sales.figures.frontHelp"),
          },
          {
            label: t("sales.figures.air"),
            value: euros(total.airNowMinor),
            help: t("sales.figures.airHelp", { later: euros(total.airLaterMinor) }),
          },
        ]}
      />
      {total.contradictions > 0 && (
        <Banner tone="warning">{t("sales.contradictions", { count: total.contradictions })}</Banner>
      )}
      {months.length > 0 && (
        <Chart
          kind="columns"
          title={t("sales.perMonth")}
          labelTitle={t("sales.column.month")}
          rows={months.map((row) => ({ label: format.month(row.month), values: values(row) }))}
          series={series.slice(0, 1)}
        />
      )}
      {stores.length > 1 && (
        <Chart
          kind="bars"
          title={t("sales.perStore")}
          labelTitle={t("sales.column.store")}
          rows={stores.map((row) => ({ label: row.store, values: values(row) }))}
          series={series.slice(0, 1)}
        />
      )}
      <ExportableList title={t("sales.list")} file="/app/analytics/sales.csv" page={page}>
        {page.items.length === 0 ? (
          <EmptyList filters={organisationFilterNames}>
            <EmptyState title={t("notYet.title")} body={t("notYet.body")} />
          </EmptyList>
        ) : (
          <SaleTable sales={page.items} />
        )}
      </ExportableList>
    </>
  );
}
