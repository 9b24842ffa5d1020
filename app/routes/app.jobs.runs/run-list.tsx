import { useTranslation } from "react-i18next";
import type { SweepRow } from "#app/plans/reconciliation/reconciliation-list.server.ts";
import type { ListPage } from "#app/platform/list-page.ts";
import { CursorPages } from "#app/ui/cursor-pages.tsx";
import { Nothing } from "#app/ui/empty-state.tsx";
import { TitledList } from "#app/ui/titled-card.tsx";
import { useRefreshWhile } from "#app/ui/use-refresh.ts";
import { Run } from "./run.tsx";

export function RunList({ runs }: { runs: ListPage<SweepRow> }) {
  const { t } = useTranslation("jobs");
  useRefreshWhile(runs.items.some(({ state }) => state === "queued" || state === "running"));
  return (
    <TitledList title={t("run.title")}>
      {runs.items.length === 0 ? (
        <Nothing title={t("run.none.title")} body={t("run.none.body")} />
      ) : (
        runs.items.map((run) => <Run key={run.id} run={run} />)
      )}
      <CursorPages page={runs} />
    </TitledList>
  );
}
