import { Badge, Banner, IndexTable, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { saleCommission } from "#app/analytics/commission-rules.ts";
import { organisationFilterNames } from "#app/analytics/filter.ts";
import type { SaleRow, SalesOverview } from "#app/analytics/sales.server.ts";
import type { ListPage } from "#app/platform/list-page.ts";
import { Chart } from "#app/ui/chart.tsx";
import { ExportableList } from "#app/ui/exportable-list.tsx";
import { Figures } from "#app/ui/figures.tsx";
import { EmptyList, Nothing } from "#app/ui/nothing.tsx";
import { NumberCell } from "#app/ui/number-cell.tsx";
import { useShop } from "#app/ui/shop.tsx";

/** Contract prices are in the store's currency, which the service does not send; commissions are euros (spec, "Sales"). */
const EUR = "EUR";

export function Sales({ overview, page }: { overview: SalesOverview; page: ListPage<SaleRow> }) {
  const { t } = useTranslation("analytics");
  const { format } = useShop();
  const euros = (cents: number) => format.money(cents, EUR);
  const { total, months, stores } = overview;
  const series = [
    { key: "sales", label: t("sales.figures.sales"), format: format.number },
    { key: "front", label: t("sales.figures.front"), format: euros },
  ];
  const values = ({ sales, frontCents }: { sales: number; frontCents: number }) => ({
    sales,
    front: frontCents,
  });
  return (
    <>
      <Figures
        figures={[
          {
            label: t("sales.figures.sales"),
            value: format.number(total.sales),
            help: t("sales.figures.salesHelp", { cancelled: format.number(total.cancelled) }),
          },
          { label: t("sales.figures.premium"), value: euros(total.priceCents) },
          {
            label: t("sales.figures.front"),
            value: euros(total.frontCents),
            help: t("sales.figures.frontHelp"),
          },
          {
            label: t("sales.figures.air"),
            value: euros(total.airNowCents),
            help: t("sales.figures.airHelp", { later: euros(total.airLaterCents) }),
          },
        ]}
      />
      {total.contradictions > 0 && (
        <Banner tone="warning">{t("sales.contradictions", { count: total.contradictions })}</Banner>
      )}
      {months.length > 0 && (
        <Chart
          kind="bars"
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
            <Nothing title={t("notYet.title")} body={t("notYet.body")} />
          </EmptyList>
        ) : (
          <SaleTable sales={page.items} />
        )}
      </ExportableList>
    </>
  );
}

function SaleTable({ sales }: { sales: SaleRow[] }) {
  const { t } = useTranslation("analytics");
  const { format } = useShop();
  const euros = (cents: number | null) => (cents === null ? "–" : format.money(cents, EUR));
  return (
    <IndexTable
      selectable={false}
      itemCount={sales.length}
      headings={[
        { title: t("sales.column.date") },
        { title: t("sales.column.contract") },
        { title: t("sales.column.status") },
        { title: t("sales.column.store") },
        { title: t("sales.column.seller") },
        { title: t("sales.column.category") },
        { title: t("sales.column.price"), alignment: "end" },
        { title: t("sales.column.front"), alignment: "end" },
        { title: t("sales.column.air"), alignment: "end" },
      ]}
    >
      {sales.map((sale, index) => {
        const { airCentsPerMonth, airFrom } = saleCommission(sale);
        return (
          <IndexTable.Row key={sale.saleId} id={sale.saleId} position={index}>
            <IndexTable.Cell>{format.date(sale.date)}</IndexTable.Cell>
            <IndexTable.Cell>{sale.saleId}</IndexTable.Cell>
            <IndexTable.Cell>
              {sale.cancelledOn === null ? (
                <Badge tone="success">{t("sales.status.active")}</Badge>
              ) : (
                <Badge>{t("sales.cancelledOn", { date: format.date(sale.cancelledOn) })}</Badge>
              )}
            </IndexTable.Cell>
            <IndexTable.Cell>{sale.store}</IndexTable.Cell>
            <IndexTable.Cell>{sale.seller}</IndexTable.Cell>
            <IndexTable.Cell>{sale.category}</IndexTable.Cell>
            <NumberCell>{euros(sale.priceCents)}</NumberCell>
            <NumberCell>{euros(sale.frontCents)}</NumberCell>
            <NumberCell>
              {airFrom === null
                ? "–"
                : t("sales.column.airFrom", {
                    amount: euros(airCentsPerMonth),
                    date: format.date(airFrom),
                  })}
            </NumberCell>
          </IndexTable.Row>
        );
      })}
    </IndexTable>
  );
}
