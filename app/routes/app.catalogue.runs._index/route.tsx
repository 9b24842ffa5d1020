/** History: every sync of the catalogue and every reading of the products. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Card, Link } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { pageOfRuns } from "#app/catalogue/runs/runs.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { readPageRequest } from "#app/platform/list-page.ts";
import { CataloguePage } from "#app/ui/tabbed-page.tsx";
import { CursorPagination, ListTable } from "#app/ui/list-table.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { runTones, useRunTexts } from "#app/ui/run-progress.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { useRevalidateWhile } from "#app/ui/use-action.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop } = await requireMerchant(request);
  return pageOfRuns(shop, readPageRequest(new URL(request.url).searchParams), 25);
}

export default function Runs() {
  const page = useLoaderData<typeof loader>();
  const { t } = useTranslation("catalogue");
  const { format } = useShop();
  const words = useRunTexts();
  useRevalidateWhile(page.items.some(({ active }) => active));
  return (
    <CataloguePage>
      <Card padding="0">
        {page.items.length === 0 ? (
          <EmptyState title={t("history.empty.title")} body={t("history.empty.body")} />
        ) : (
          <ListTable
            columns={[
              { title: t("history.started"), kind: "short" },
              { title: t("history.kind") },
              { title: t("history.reason") },
              { title: t("history.state"), kind: "short" },
              { title: t("history.result") },
            ]}
            rows={page.items.map((run) => {
              const figures = words.figures(run).map((figure) => figure.join(" "));
              return {
                key: run.id,
                cells: [
                  <Link url={`/app/catalogue/runs/${run.id}`}>{format.dateTime(run.createdAt)}</Link>,
                  words.kind(run),
                  words.reason(run),
                  <StatusBadge status={run.state} labels={words.states} tones={runTones} />,
                  run.active
                    ? format.percent(run.percent / 100)
                    : figures.length > 0
                      ? figures.join(", ")
                      : t("run.nothing"),
                ],
              };
            })}
          />
        )}
        <CursorPagination page={page} />
      </Card>
    </CataloguePage>
  );
}

export { shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
