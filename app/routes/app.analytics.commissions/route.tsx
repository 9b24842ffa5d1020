/** Analytics, Commissions: what the insurer pays back to all points of sale of the merchant's organisation. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Banner } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import {
  type CommissionRow,
  commissionsOverview,
  type CommissionsOverview,
  listCommissions,
  pointsOfSale,
} from "#app/analytics/organisation-figures.server.ts";
import { signedMinor } from "#app/analytics/commission-rules.ts";
import { organisationFilter } from "#app/analytics/filter.ts";
import { readOrganisationView } from "#app/analytics/view.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { readPageRequest } from "#app/platform/keyset.ts";
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
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { ListTable } from "#app/ui/list-table.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const view = await readOrganisationView(merchant);
  if (view.state !== "ready") return { ready: null };
  const search = new URL(request.url).searchParams;
  const filter = organisationFilter.parse(Object.fromEntries(search));
  const [overview, page, stores] = await Promise.all([
    commissionsOverview(shop, view.organisation, filter),
    listCommissions(shop, view.organisation, filter, readPageRequest(search), 25),
    pointsOfSale(shop, view.organisation),
  ]);
  return {
    ready: {
      importStatus: view.importStatus,
      today: toLocalDay(merchant.timezone, new Date()),
      overview,
      page,
      stores,
    },
  };
}

export default function CommissionsPage() {
  const { ready } = useLoaderData<typeof loader>();
  return (
    <OrganisationPage ready={ready}>
      {({ overview, page, stores }) => <Commissions overview={overview} page={page} known={stores} />}
    </OrganisationPage>
  );
}

interface CommissionsProps {
  overview: CommissionsOverview;
  page: ListPage<CommissionRow>;
  known: PointOfSale[];
}

function Commissions({ overview: { total, months, stores }, page, known }: CommissionsProps) {
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
          rows={stores.map((row) => ({ ...storeRow(row, known), values: values(row) }))}
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

function CommissionTable({ commissions }: { commissions: CommissionRow[] }) {
  const { t } = useTranslation("analytics");
  const { format } = useShop();
  const euros = useFormatEuros();
  return (
    <ListTable
      columns={[
        { title: t("commissions.column.date"), kind: "short" },
        { title: t("commissions.column.sale"), kind: "id" },
        { title: t("commissions.column.store") },
        { title: t("commissions.column.type"), kind: "short" },
        { title: t("commissions.column.billing"), kind: "short" },
        { title: t("commissions.column.collected"), kind: "number" },
        { title: t("commissions.column.amount"), kind: "number" },
      ]}
      rows={commissions.map((row) => ({
        key: row.commissionId,
        cells: [
          format.date(row.date),
          row.saleId,
          row.store,
          t(`commissions.type.${row.type}`),
          <StatusBadge
            status={row.billingType}
            labels={{
              collected: t("commissions.billing.collected"),
              refunded: t("commissions.billing.refunded"),
            }}
            tones={{ refunded: "attention" }}
          />,
          euros(signedMinor(row, "priceMinor")),
          euros(signedMinor(row, "amountMinor")),
        ],
      }))}
    />
  );
}

export { shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
