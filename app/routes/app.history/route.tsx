/** History: what the app and the shop's staff did, and what the check of orders found. A tab of Settings. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { listStaff } from "#app/audit/audit-entries.server.ts";
import { areas, historyFilterNames } from "#app/history/areas.ts";
import { historyFilter } from "#app/history/history.ts";
import { listHistory } from "#app/history/history.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { firstDay } from "#app/plans/reconciliation/reconciliation.ts";
import {
  listReconciliationRuns,
  readLastReconciledAt,
} from "#app/plans/reconciliation/reconciliation-list.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { readPageRequest, readPageSize } from "#app/platform/list-page.ts";
import { EmptyList, EmptyState } from "#app/ui/empty-state.tsx";
import { ExportableList } from "#app/ui/exportable-list.tsx";
import { PeriodFilter } from "#app/ui/period-filter.tsx";
import { SettingsPage } from "#app/ui/settings-page.tsx";
import { HistoryTable } from "./history-table.tsx";
import { OrderCheckCard } from "./order-check-card.tsx";

/** Checks of orders that the page shows: the latest. */
const MAX_CHECKS = 3;

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  const filter = historyFilter.parse(Object.fromEntries(search));
  const [page, people, checks, checkedAt] = await Promise.all([
    listHistory(merchant, filter, readPageRequest(search), readPageSize(request, 25)),
    listStaff(shop),
    listReconciliationRuns(shop, { after: null, before: null }, MAX_CHECKS),
    readLastReconciledAt(shop),
  ]);
  const today = toLocalDay(merchant.timezone, new Date());
  return { page, people, today, firstDay: firstDay(today), checks: checks.items, checkedAt };
}

export default function History() {
  const { page, people, ...check } = useLoaderData<typeof loader>();
  const { t } = useTranslation(["history", "audit"]);
  const actors = [
    { value: "app", label: t("audit:actor.system") },
    { value: "staff", label: t("filter.staff") },
    ...people.map(({ id, name }) => ({ value: id, label: name ?? t("audit:actor.staff", { id }) })),
  ];
  return (
    <SettingsPage subtitle={t("subtitle")}>
      <PeriodFilter
        today={check.today}
        choices={[
          {
            name: "what",
            label: t("filter.what"),
            all: t("filter.changes"),
            options: areas.map((value) => ({ value, label: t(`area.${value}`) })),
          },
          { name: "who", label: t("filter.who"), all: t("filter.anyone"), options: actors },
        ]}
      />
      <ExportableList title={t("list")} file="/app/history.csv" page={page}>
        {page.items.length > 0 ? (
          <HistoryTable entries={page.items} />
        ) : (
          <EmptyList filters={historyFilterNames}>
            <EmptyState title={t("empty.title")} body={t("empty.body")} />
          </EmptyList>
        )}
      </ExportableList>
      <section id="check">
        <OrderCheckCard {...check} />
      </section>
    </SettingsPage>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
