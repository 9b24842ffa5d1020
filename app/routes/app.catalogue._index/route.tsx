/** Catalogue: what insurance costs, by the product's price and the term, and the sync with the insurer. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useNavigate } from "@remix-run/react";
import { Badge, BlockStack, Box, Button, Card, InlineStack, Link, Select, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { countReferences, listGridReferences } from "#app/catalogue/references/reference-list.server.ts";
import {
  type CategoryCounts,
  type ReferenceState,
  referenceStates,
  sumCounts,
} from "#app/catalogue/references/reference-list.ts";
import { hasFailedToEndSale, type RunView } from "#app/catalogue/runs/run.ts";
import { cancelRun, readLastRun, startSync } from "#app/catalogue/runs/runs.server.ts";
import { listConnections } from "#app/merchants/connection.server.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { type ActionResult, success } from "#app/ui/action-result.ts";
import { Folded } from "#app/ui/details.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { InsurerProblem } from "#app/ui/insurer-problem.tsx";
import { Permitted } from "#app/ui/permitted.tsx";
import { RunProblemsCard } from "#app/ui/run-problems.tsx";
import {
  RunFailureBanner,
  RunProgress,
  useRunFigures,
  WaitingVariantsBanner,
} from "#app/ui/run-progress.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { CataloguePage, LinkTabs } from "#app/ui/tabbed-page.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useAction, useRevalidateWhile } from "#app/ui/use-action.ts";
import { PriceGrids } from "./price-grids.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const inUse = merchant.environment;
  const wanted = new URL(request.url).searchParams.get("category");
  const [connections, { run, problems }, categories] = await Promise.all([
    listConnections(shop),
    readLastRun(shop, "catalogue"),
    countReferences(shop, inUse),
  ]);
  const shown = categories.find(({ categoryId }) => categoryId === wanted) ?? categories[0] ?? null;
  return {
    connected: connections.some((connection) => connection.environment === inUse),
    run,
    problems,
    categories,
    counts: sumCounts(categories),
    shown,
    grid: shown === null ? null : await listGridReferences(shop, inUse, shown.categoryId),
  };
}

const intents = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("sync") }),
  z.object({ intent: z.literal("cancel"), run: z.string().min(1) }),
]);

type CatalogueActionResult = ActionResult<{ run: string } | { stopping: boolean }>;

export const action = pageAction(async ({ request }, { shop, actor }): Promise<CatalogueActionResult> => {
  const form = await parseForm(request, intents);
  switch (form.intent) {
    case "cancel":
      return success({ stopping: await cancelRun(shop, form.run, actor) });
    case "sync":
      return success({ run: (await startSync(shop, actor)).id });
  }
});

export default function Catalogue() {
  const { connected, run, problems, categories, counts, shown, grid } = useLoaderData<typeof loader>();
  const { t } = useTranslation("catalogue");
  useRevalidateWhile(run?.active ?? false);
  return (
    <CataloguePage>
      <SyncCard connected={connected} run={run} counts={counts} />
      {run?.active === false && <RunProblemsCard problems={problems} />}
      {shown !== null && grid !== null ? (
        <Card>
          <BlockStack gap="400">
            <CategoryChoice categories={categories} shown={shown.categoryId} />
            {grid.references.length > 0 && <PriceGrids key={shown.categoryId} references={grid.references} />}
            <Others category={shown} hasMore={grid.hasMore} />
          </BlockStack>
        </Card>
      ) : (
        connected &&
        run?.active !== true && (
          <Card>
            <EmptyState title={t("empty.title")} body={t("empty.body")} />
          </Card>
        )
      )}
    </CataloguePage>
  );
}

/** So many fit a line or two; more are chosen from a list. */
const MAX_TABS = 6;

/** The categories, each with what is held back of it. */
function CategoryChoice({ categories, shown }: { categories: CategoryCounts[]; shown: string }) {
  const { t } = useTranslation("catalogue");
  const navigate = useNavigate();
  const choices = categories.map(({ categoryId, counts }) => ({
    value: categoryId,
    label:
      counts.withheld === 0
        ? categoryId
        : `${categoryId} · ${t("figure.withheld", { count: counts.withheld })}`,
  }));
  const addressOf = (category: string) => `/app/catalogue?category=${encodeURIComponent(category)}`;
  if (choices.length > MAX_TABS) {
    return (
      <Select
        label={t("column.category")}
        options={choices}
        value={shown}
        onChange={(category) => {
          navigate(addressOf(category), { preventScrollReset: true });
        }}
      />
    );
  }
  return (
    <LinkTabs
      label={t("column.category")}
      tabs={choices.map(({ value, label }) => ({
        address: addressOf(value),
        label,
        isCurrent: value === shown,
      }))}
    />
  );
}

/** What of the category has no place in a grid, each with its list. */
function Others({ category, hasMore }: { category: CategoryCounts; hasMore: boolean }) {
  const { t } = useTranslation("catalogue");
  const list = `/app/catalogue/list?category=${encodeURIComponent(category.categoryId)}`;
  const { vanished } = category.counts;
  return (
    <InlineStack gap="400">
      {category.forProducts > 0 && (
        <Link url={list}>{t("others.forProducts", { count: category.forProducts })}</Link>
      )}
      {vanished > 0 && (
        <Link url={`${list}&state=vanished`}>{t("figure.vanished", { count: vanished })}</Link>
      )}
      <Link url={list}>{t(hasMore ? "others.more" : "others.list")}</Link>
    </InlineStack>
  );
}

const countTones = {
  on_sale: "success",
  not_synced: "info",
  withheld: "warning",
  vanished: undefined,
} as const satisfies Record<ReferenceState, string | undefined>;

interface SyncCardProps {
  connected: boolean;
  run: RunView | null;
  counts: Record<ReferenceState, number>;
}

/** The sync: its progress, or the result of the last one and the button that starts the next. */
function SyncCard({ connected, run, counts }: SyncCardProps) {
  const { t } = useTranslation("catalogue");
  const { format } = useShop();
  const figures = useRunFigures();
  const fetcher = useAction();
  const canSync = connected || (run !== null && hasFailedToEndSale(run));
  if (!canSync && !run?.active) return <InsurerProblem problem={{ state: "not_connected" }} />;
  if (run?.active) {
    return (
      <Card>
        <RunProgress
          run={run}
          title={t("sync.running")}
          onCancel={() => fetcher.submit({ intent: "cancel", run: run.id }, { method: "post" })}
        />
      </Card>
    );
  }
  return (
    <TitledCard
      title={t("sync.title")}
      action={
        <Permitted>
          <Button
            variant="primary"
            loading={fetcher.state !== "idle"}
            onClick={() => fetcher.submit({ intent: "sync" }, { method: "post" })}
          >
            {t("sync.start")}
          </Button>
        </Permitted>
      }
    >
      {run && <RunFailureBanner run={run} title={t("sync.failed")} />}
      {run && <WaitingVariantsBanner run={run} />}
      <InlineStack gap="300" blockAlign="center">
        <Text as="p" tone="subdued">
          {run?.finishedAt ? t("sync.last", { date: format.dateTime(run.finishedAt) }) : t("sync.never")}
        </Text>
        {referenceStates
          .filter((state) => counts[state] > 0)
          .map((state) => (
            <Link key={state} url={`/app/catalogue/list?state=${state}`} removeUnderline>
              <Badge tone={countTones[state]}>{t(`figure.${state}`, { count: counts[state] })}</Badge>
            </Link>
          ))}
      </InlineStack>
      {run && (
        <Folded summary={t("sync.changes")}>
          <Box paddingBlockStart="200">
            <Text as="p">
              {figures(run)
                .map((figure) => figure.join(" "))
                .join(", ") || t("run.nothing")}
            </Text>
          </Box>
        </Folded>
      )}
      {run?.state === "cancelled" && <Text as="p">{t("sync.stopped")}</Text>}
    </TitledCard>
  );
}

export { clientAction, shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
