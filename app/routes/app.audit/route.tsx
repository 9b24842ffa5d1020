/** Audit log: who did what, when, and what changed. A tab of Settings. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { auditActions, auditFilterNames, isAuditAction } from "#app/audit/actions.ts";
import { auditFilter } from "#app/audit/audit-filter.ts";
import { listAudit, listStaff } from "#app/audit/audit-log.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { readPageRequest } from "#app/platform/list-page.ts";
import { EmptyList, EmptyState } from "#app/ui/empty-state.tsx";
import { ExportableList } from "#app/ui/exportable-list.tsx";
import { PeriodFilter } from "#app/ui/period-filter.tsx";
import { SettingsPage } from "#app/ui/settings-page.tsx";
import { AuditTable } from "./audit-table.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  const filter = auditFilter.parse(Object.fromEntries(search));
  const [page, people] = await Promise.all([
    listAudit(merchant, filter, readPageRequest(search), 50),
    listStaff(shop),
  ]);
  return { page, people, today: toLocalDay(merchant.timezone, new Date()) };
}

export default function Audit() {
  const { page, people, today } = useLoaderData<typeof loader>();
  const { t } = useTranslation("audit");
  const actions = Object.keys(auditActions)
    .filter(isAuditAction)
    .map((value) => ({ value, label: t(`action.${value}`, { subject: "…" }) }));
  const actors = [
    { value: "system", label: t("actor.system") },
    ...people.map(({ id, name }) => ({ value: id, label: name ?? t("actor.staff", { id }) })),
  ];
  return (
    <SettingsPage subtitle={t("subtitle")}>
      <PeriodFilter
        today={today}
        choices={[
          { name: "action", label: t("filter.action"), all: t("filter.anyAction"), options: actions },
          { name: "actor", label: t("filter.actor"), all: t("filter.anyone"), options: actors },
        ]}
      />
      <ExportableList title={t("list")} file="/app/audit.csv" page={page}>
        {page.items.length > 0 ? (
          <AuditTable entries={page.items} />
        ) : (
          <EmptyList filters={auditFilterNames}>
            <EmptyState title={t("empty.title")} body={t("empty.body")} />
          </EmptyList>
        )}
      </ExportableList>
    </SettingsPage>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
