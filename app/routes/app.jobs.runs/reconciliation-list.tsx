import { useTranslation } from "react-i18next";
import type { ReconciliationRunRow } from "#app/plans/reconciliation/reconciliation-list.server.ts";
import type { ListPage } from "#app/platform/list-page.ts";
import { CursorPagination } from "#app/ui/cursor-pagination.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { TitledList } from "#app/ui/titled-card.tsx";
import { useRevalidateWhile } from "#app/ui/use-revalidate-while.ts";
import { ReconciliationRow } from "./reconciliation-row.tsx";

export function ReconciliationList({ runs }: { runs: ListPage<ReconciliationRunRow> }) {
  const { t } = useTranslation("jobs");
  useRevalidateWhile(runs.items.some(({ state }) => state === "queued" || state === "running"));
  return (
    <TitledList title={t("run.title")}>
      {runs.items.length === 0 ? (
        <EmptyState title={t("run.none.title")} body={t("run.none.body")} />
      ) : (
        runs.items.map((run) => <ReconciliationRow key={run.id} run={run} />)
      )}
      <CursorPagination page={runs} />
    </TitledList>
  );
}
