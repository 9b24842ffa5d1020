import { Banner } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { CommissionRow, CommissionsOverview } from "#app/analytics/commissions.server.ts";
import { organisationFilterNames } from "#app/analytics/filter-names.ts";
import type { ListPage } from "#app/platform/list-page.ts";
import { Chart } from "#app/ui/chart.tsx";
import { ExportableList } from "#app/ui/exportable-list.tsx";
import { MetricCards } from "#app/ui/metric-cards.tsx";
import { EmptyList, EmptyState } from "#app/ui/empty-state.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useFormatEuros } from "#app/ui/use-format-euros.ts";
import { CommissionTable } from "./commission-table.tsx";

interface Props {
  overview: CommissionsOverview;
  page: ListPage<CommissionRow>;
}

export function Commissions({ overview: { total, months, stores }, page }: Props) {
  const { t } = useTranslation("analytics");
  const { format } = useShop();
  const euros = useFormatEuros();
  const series = [
    { key: "front", label: t("commissions.figures.front"), format: euros },
    { key: "air", label: t("commissions.figures.air"), format: euros },
  ];
  const values = (row: { frontMinor: number; airMinor: number }) => ({
    front: row.frontMinor,
    air: row.airMinor,
  });
  return (
    <>
      <MetricCards
        metrics={[
          {
            label: t("commissions.figures.front"),
            value: euros(total.frontMinor),
            help: t("commissions.figures.frontHelp", { amount: euros(total.frontRefundedMinor) }),
          },
          {
            label: t("commissions.figures.air"),
            value: euros(total.airMinor),
            help: t("commissions.figures.airHelp", { amount: euros(total.airRefundedMinor) }),
          },
          {
            label: t("commissions.figures.both"),
            value: euros(total.frontMinor + total.airMinor),
            help: t("commissions.figures.bothHelp"),
          },
          { label: t("commissions.figures.count"), value: format.number(total.commissions) },
        ]}
      />
      {total.contradictions > 0 && (
        <Banner tone="warning">{t("commissions.contradictions", { count: total.contradictions })}</Banner>
      )}
      {months.length > 0 && (
        <Chart
          kind="columns"
          title={t("commissions.perMonth")}
          labelTitle={t("commissions.column.month")}
          rows={months.map((row) => ({ label: format.month(row.month), values: values(row) }))}
          series={series}
        />
      )}
      {stores.length > 1 && (
        <Chart
          kind="bars"
          title={t("commissions.perStore")}
          labelTitle={t("commissions.column.store")}
          rows={stores.map((row) => ({ label: row.store, values: values(row) }))}
          series={series}
        />
      )}
      <ExportableList title={t("commissions.list")} file="/app/analytics/commissions.csv" page={page}>
        {page.items.length === 0 ? (
          <EmptyList filters={organisationFilterNames}>
            <EmptyState title={t("notYet.title")} body={t("notYet.body")} />
          </EmptyList>
        ) : (
          <CommissionTable commissions={page.items} />
        )}
      </ExportableList>
    </>
  );
}
