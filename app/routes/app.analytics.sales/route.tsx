/** Analytics, Sales: what all points of sale of the merchant's organisation have sold. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Banner, BlockStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { organisationFilter } from "#app/analytics/filter.ts";
import {
  listSales,
  pointsOfSale,
  salesBySeller,
  type SellerFigures,
  type SaleRow,
  salesOverview,
  type SalesOverview,
} from "#app/analytics/organisation-figures.server.ts";
import { readOrganisationView, refreshOrganisation } from "#app/analytics/view.server.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { readPageRequest } from "#app/platform/keyset.ts";
import { success } from "#app/ui/action-result.ts";
import {
  organisationFilterNames,
  OrganisationPage,
  type PointOfSale,
  storeRow,
} from "#app/ui/organisation-page.tsx";
import type { ListPage } from "#app/platform/list-page.ts";
import { Chart } from "#app/ui/chart.tsx";
import { ExportableList } from "#app/ui/exportable-list.tsx";
import { MetricCards } from "#app/ui/metric-cards.tsx";
import { EmptyList, EmptyState } from "#app/ui/empty-state.tsx";
import { useShop, useFormatEuros } from "#app/ui/shop.tsx";
import { ListTable } from "#app/ui/list-table.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const view = await readOrganisationView(merchant);
  if (view.state !== "ready") return { ready: null };
  const search = new URL(request.url).searchParams;
  const filter = organisationFilter.parse(Object.fromEntries(search));
  const today = toLocalDay(merchant.timezone, new Date());
  const [overview, page, stores, sellers] = await Promise.all([
    salesOverview(shop, view.organisation, filter, today),
    listSales(shop, view.organisation, filter, readPageRequest(search), 25),
    pointsOfSale(shop, view.organisation),
    salesBySeller(shop, view.organisation, filter),
  ]);
  return { ready: { importStatus: view.importStatus, today, overview, page, stores, sellers } };
}

/** Refreshes the organisation's figures; the form has no fields. */
export const action = pageAction(async (_args, { merchant, actor }) => {
  await refreshOrganisation(merchant, actor);
  return success();
});

export default function SalesPage() {
  const { ready } = useLoaderData<typeof loader>();
  return (
    <OrganisationPage ready={ready}>
      {({ overview, page, stores, sellers }) => (
        <Sales overview={overview} page={page} known={stores} sellers={sellers} />
      )}
    </OrganisationPage>
  );
}

interface SalesProps {
  overview: SalesOverview;
  page: ListPage<SaleRow>;
  known: PointOfSale[];
  sellers: SellerFigures[];
}

function Sales({ overview, page, known, sellers }: SalesProps) {
  const { t } = useTranslation("analytics");
  const { format } = useShop();
  const euros = useFormatEuros();
  const { total, months, stores } = overview;
  const series = [
    { key: "sales", label: t("sales.figures.sales"), format: format.number },
    { key: "price", label: t("sales.figures.premium"), format: euros, tableOnly: true },
    { key: "front", label: t("sales.figures.front"), format: euros, tableOnly: true },
  ];
  const values = ({ sales, priceMinor, frontMinor }: Omit<SellerFigures, "seller">) => ({
    sales,
    price: priceMinor,
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
          rows={stores.map((row) => ({ ...storeRow(row, known), values: values(row) }))}
          series={series}
        />
      )}
      {sellers.length > 0 && (
        <Chart
          kind="bars"
          title={t("sales.perSeller")}
          labelTitle={t("sales.column.seller")}
          rows={sellers.map((row) => ({ label: row.seller, values: values(row) }))}
          series={series}
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

function SaleTable({ sales }: { sales: SaleRow[] }) {
  const { t } = useTranslation("analytics");
  const { format } = useShop();
  const euros = useFormatEuros();
  return (
    <ListTable
      columns={[
        { title: t("sales.column.date"), kind: "short" },
        { title: t("sales.column.contract"), kind: "id" },
        { title: t("sales.column.status"), kind: "short" },
        { title: t("sales.column.store") },
        { title: t("sales.column.seller") },
        { title: t("sales.column.category") },
        { title: t("sales.column.price"), kind: "number" },
        { title: t("sales.column.front"), kind: "number" },
        { title: t("sales.column.air"), kind: "number" },
      ]}
      rows={sales.map((sale) => ({
        key: sale.saleId,
        cells: [
          format.date(sale.date),
          sale.saleId,
          <BlockStack>
            <StatusBadge
              status={sale.status}
              labels={{ active: t("sales.status.active"), cancelled: t("sales.status.cancelled") }}
              tones={{ active: "success" }}
            />
            {sale.cancelledOn !== null && (
              <Text as="span" tone="subdued">
                {t("sales.cancelledOn", { date: format.date(sale.cancelledOn) })}
              </Text>
            )}
          </BlockStack>,
          sale.store,
          sale.seller,
          sale.category,
          euros(sale.priceMinor),
          euros(sale.frontMinor),
          sale.airFrom === null
            ? null
            : t("sales.column.airFrom", {
                amount: euros(sale.airMinor),
                date: format.date(sale.airFrom),
              }),
        ],
      }))}
    />
  );
}

export { clientAction, shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
