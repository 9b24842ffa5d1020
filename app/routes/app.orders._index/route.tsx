/** Orders and plans: every paid order in Parasol, with its plans and their state. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { recordAccess } from "#app/audit/record.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { OPENED_ORDERS, orderFilterNames, orderSorts, planChoices } from "#app/orders/admin/order-choices.ts";
import { orderFilter } from "#app/orders/admin/order-forms.ts";
import { listOrders } from "#app/orders/admin/order-list.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { readPageRequest } from "#app/platform/keyset.ts";
import { DownloadButton, ExportableList } from "#app/ui/exportable-list.tsx";
import { FilteredRows } from "#app/ui/filtered-list.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ViewTabs, OrdersPage } from "#app/ui/tabbed-page.tsx";
import { OrderTable } from "#app/ui/order-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { PeriodFilter } from "#app/ui/period-filter.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant, actor, granted } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  const filter = orderFilter.parse(Object.fromEntries(search));
  const page = await listOrders(merchant, filter, readPageRequest(search), 25);
  if (page.items.length > 0) await recordAccess({ shop, actor }, "list_viewed", "orders");
  return {
    environment: merchant.environment,
    today: toLocalDay(merchant.timezone, new Date()),
    page,
    query: filter.query,
    // Shopify's search has older orders only for apps that it lets read all.
    searchesAllInShopify: granted.includes("read_all_orders"),
  };
}

export default function Orders() {
  const { environment, today, page, query, searchesAllInShopify } = useLoaderData<typeof loader>();
  const { t } = useTranslation("orders");
  const { format } = useShop();
  return (
    <OrdersPage subtitle={t("subtitle")}>
      <PeriodFilter
        today={today}
        choices={[
          {
            name: "sort",
            label: t("sort.label"),
            all: t("sort.latest"),
            options: orderSorts.map((value) => ({ value, label: t(`sort.${value}`) })),
          },
          ...(environment === "production"
            ? [
                {
                  name: "tests",
                  label: t("tests.label"),
                  all: t("tests.hidden"),
                  options: [{ value: "shown", label: t("tests.shown") }],
                },
              ]
            : []),
        ]}
      />
      <ExportableList
        title={t("list")}
        file="/app/orders.csv"
        page={page}
        // Counts all orders of the period, whatever the other filters show.
        action={<DownloadButton file="/app/statement.csv" label={t("statement.download")} />}
      >
        <ViewTabs
          label={t("filter.plans")}
          tabs={[
            { label: t("filter.all"), search: {} },
            ...planChoices.map((plans) => ({ label: t(`filter.choice.${plans}`), search: { plans } })),
          ]}
        />
        <FilteredRows
          search={t("search")}
          filters={[]}
          filterNames={orderFilterNames}
          page={page}
          empty={<EmptyState title={t("empty.title")} body={t("empty.body")} />}
          noneFound={
            query !== null &&
            page.searched !== null && (
              <EmptyState
                title={t("noneFound.title", { query })}
                body={t(
                  page.searched === "newest_and_shopify" && searchesAllInShopify
                    ? "noneFound.newest_and_all_in_shopify"
                    : `noneFound.${page.searched}`,
                  { newest: format.number(OPENED_ORDERS) },
                )}
                action={{
                  content: t("noneFound.contracts"),
                  url: `/app/plans?query=${encodeURIComponent(query)}`,
                }}
              />
            )
          }
        >
          <OrderTable orders={page.items} environment={environment} />
        </FilteredRows>
      </ExportableList>
    </OrdersPage>
  );
}

export { shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
