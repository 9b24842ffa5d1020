/** Catalogue: the references of the insurance service, their status in the shop, and the sync. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { referenceFilter } from "#app/catalogue/references/reference-list.ts";
import { referenceSorts, referenceStates } from "#app/catalogue/references/reference-states.ts";
import {
  countReferences,
  pageOfReferences,
  referenceChoices,
} from "#app/catalogue/references/reference-list.server.ts";
import { withdrawImported } from "#app/catalogue/references/import.server.ts";
import { runView } from "#app/catalogue/runs/run-view.ts";
import { cancelRun, listRuns, startRun } from "#app/catalogue/runs/runs.server.ts";
import { listConnections } from "#app/merchants/connection.server.ts";
import { environment } from "#app/merchants/connection.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { readPageRequest, readPageSize } from "#app/platform/list-page.ts";
import { refused, success } from "#app/ui/action-result.ts";
import type { ActionResult } from "#app/ui/action-result.ts";
import { usePriceBandText } from "#app/ui/use-catalogue-texts.ts";
import { CataloguePage } from "#app/ui/tabbed-page.tsx";
import { FilteredList } from "#app/ui/filtered-list.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { useRevalidateWhile } from "#app/ui/use-action.ts";
import { ReferenceTable } from "./reference-table.tsx";
import { SyncCard } from "./sync-card.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const inUse = merchant.environment;
  const search = new URL(request.url).searchParams;
  const filter = referenceFilter.parse(Object.fromEntries(search));
  const [connections, [run], counts, choices, page] = await Promise.all([
    listConnections(shop),
    listRuns(shop, "catalogue", 1),
    countReferences(shop, inUse),
    referenceChoices(shop, inUse, filter.category),
    pageOfReferences(shop, inUse, filter, readPageRequest(search), readPageSize(request, 50)),
  ]);
  const connected = connections.some((connection) => connection.environment === inUse);
  const { state, query, category, term, band } = filter;
  const isCounted = [query, category, term, band].every((value) => value === null);
  const total = referenceStates.reduce(
    (sum, each) => (state === null || state === each ? sum + counts[each] : sum),
    0,
  );
  return {
    environment: inUse,
    connected,
    run: run ? runView(run, new Date()) : null,
    counts,
    choices,
    page,
    // Search and the other filters would need a count of their own.
    total: isCounted ? total : undefined,
  };
}

const intents = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("sync") }),
  z.object({ intent: z.literal("cancel"), run: z.string().min(1) }),
  // Of all imported references, where none is named.
  z.object({
    intent: z.literal("withdraw"),
    /** the account whose references the page showed */
    environment,
    reference: z.string().min(1).max(500).nullable().default(null),
  }),
]);

type CatalogueActionResult = ActionResult<
  { run: string } | { stopping: boolean } | { withdrawn: number },
  "account_changed"
>;

export const action = pageAction(
  async ({ request }, { shop, merchant, actor }): Promise<CatalogueActionResult> => {
    const form = await parseForm(request, intents);
    switch (form.intent) {
      case "cancel":
        return success({ stopping: await cancelRun(shop, form.run, actor) });
      case "withdraw":
        if (form.environment !== merchant.environment) return refused("account_changed");
        return success({
          withdrawn: await withdrawImported(shop, form.environment, form.reference, actor),
        });
      case "sync":
        return success({ run: (await startRun(shop, "catalogue", "merchant", actor)).id });
    }
  },
);

export default function Catalogue() {
  const { environment, connected, run, counts, choices, page, total } = useLoaderData<typeof loader>();
  const { t } = useTranslation("catalogue");
  const bandText = usePriceBandText();
  useRevalidateWhile(run?.active ?? false);
  const hasReferences = referenceStates.some((state) => counts[state] > 0);
  return (
    <CataloguePage>
      <SyncCard connected={connected} run={run} counts={counts} />
      {(hasReferences || (connected && !run?.active)) && (
        <FilteredList
          search={t("search")}
          sort={{
            label: t("sort.label"),
            options: [
              { label: t("sort.category"), value: "" },
              ...referenceSorts.map((value) => ({ label: t(`sort.${value}`), value })),
            ],
          }}
          filters={[
            {
              name: "category",
              label: t("column.category"),
              choices: choices.categories.map((value) => ({ value, label: value })),
            },
            {
              name: "term",
              label: t("column.term"),
              choices: choices.terms.map((count) => ({
                value: String(count),
                label: t("term.months", { count }),
              })),
            },
            {
              name: "band",
              label: t("column.band"),
              choices: choices.bands.map(({ minMinor, maxMinor, currency }) => ({
                value: `${minMinor}-${maxMinor}`,
                label: bandText(minMinor, maxMinor, currency),
              })),
            },
            {
              name: "state",
              label: t("column.state"),
              choices: referenceStates.map((value) => ({ value, label: t(`state.${value}`) })),
            },
          ]}
          page={page}
          total={total}
          empty={<EmptyState title={t("empty.title")} body={t("empty.body")} />}
        >
          <ReferenceTable environment={environment} references={page.items} />
        </FilteredList>
      )}
    </CataloguePage>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
