/** Catalogue: the references of the insurer, their status in the shop, and the sync. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Button, Card, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import {
  countReferences,
  pageOfReferences,
  referenceChoices,
  referenceFilter,
} from "#app/catalogue/references/reference-list.server.ts";
import {
  type ListedReference,
  referenceSorts,
  type ReferenceState,
  referenceStates,
} from "#app/catalogue/references/reference-list.ts";
import { hasFailedToEndSale, type RunView } from "#app/catalogue/runs/run.ts";
import { cancelRun, readLastRun, startSync } from "#app/catalogue/runs/runs.server.ts";
import { listConnections } from "#app/merchants/connection.server.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { readPageSize } from "#app/platform/list-page.ts";
import { readPageRequest } from "#app/platform/keyset.ts";
import { type ActionResult, success } from "#app/ui/action-result.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { FilteredList } from "#app/ui/filtered-list.tsx";
import { ListTable } from "#app/ui/list-table.tsx";
import {
  RunFailureBanner,
  RunProgress,
  useRunFigures,
  WaitingVariantsBanner,
} from "#app/ui/run-progress.tsx";
import { RunProblemsCard } from "#app/ui/run-problems.tsx";
import { InsurerProblem } from "#app/ui/insurer-problem.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { CataloguePage } from "#app/ui/tabbed-page.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useAction, useRevalidateWhile } from "#app/ui/use-action.ts";
import { usePriceBandText, useProblemText } from "#app/ui/use-catalogue-texts.ts";
import { usePaymentText } from "#app/ui/use-plan-texts.ts";
import { Permitted } from "#app/ui/permitted.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const inUse = merchant.environment;
  const search = new URL(request.url).searchParams;
  const filter = referenceFilter.parse(Object.fromEntries(search));
  const [connections, { run, problems }, counts, choices, page] = await Promise.all([
    listConnections(shop),
    readLastRun(shop, "catalogue"),
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
    connected,
    run,
    problems,
    counts,
    choices,
    page,
    // A count per search or filter would cost another query.
    total: isCounted ? total : undefined,
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
  const { connected, run, problems, counts, choices, page, total } = useLoaderData<typeof loader>();
  const { t } = useTranslation("catalogue");
  const bandText = usePriceBandText();
  useRevalidateWhile(run?.active ?? false);
  const hasReferences = referenceStates.some((state) => counts[state] > 0);
  return (
    <CataloguePage>
      <SyncCard connected={connected} run={run} counts={counts} />
      {run?.active === false && <RunProblemsCard problems={problems} />}
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
          <ReferenceTable references={page.items} />
        </FilteredList>
      )}
    </CataloguePage>
  );
}

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
      <Text as="p" tone="subdued">
        {run?.finishedAt ? t("sync.last", { date: format.dateTime(run.finishedAt) }) : t("sync.never")}
      </Text>
      {run && (
        <Text as="p">
          {figures(run)
            .map((figure) => figure.join(" "))
            .join(", ") || t("run.nothing")}
        </Text>
      )}
      <InlineStack gap="400">
        {referenceStates
          .filter((state) => counts[state] > 0)
          .map((state) => (
            <Link key={state} url={`/app/catalogue?state=${state}`} removeUnderline>
              {t(`figure.${state}`, { count: counts[state] })}
            </Link>
          ))}
      </InlineStack>
      {run?.state === "cancelled" && <Text as="p">{t("sync.stopped")}</Text>}
    </TitledCard>
  );
}

const tones = { on_sale: "success", not_synced: "info", withheld: "warning" } as const;

function ReferenceTable({ references }: { references: ListedReference[] }) {
  const { t } = useTranslation("catalogue");
  const bandText = usePriceBandText();
  const labels = {
    on_sale: t("state.on_sale"),
    not_synced: t("state.not_synced"),
    withheld: t("state.withheld"),
    vanished: t("state.vanished"),
  };
  return (
    <ListTable
      columns={[
        { title: t("column.reference") },
        { title: t("column.category") },
        { title: t("column.term"), kind: "short" },
        { title: t("column.band"), kind: "short" },
        { title: t("column.price"), kind: "number" },
        { title: t("column.state") },
        { title: t("column.variant") },
      ]}
      rows={references.map((reference) => ({
        key: reference.referenceId,
        cells: [
          <BlockStack>
            <Text as="span" fontWeight="medium">
              {reference.referenceId}
            </Text>
            {reference.forProducts > 0 && (
              <Text as="span" tone="subdued">
                {t("forProducts", { count: reference.forProducts })}
              </Text>
            )}
          </BlockStack>,
          reference.categoryId,
          t("term.months", { count: reference.termMonths }),
          bandText(reference.bandMinMinor, reference.bandMaxMinor, reference.currency),
          <Payment reference={reference} />,
          <BlockStack gap="100" inlineAlign="start">
            <StatusBadge status={reference.state} labels={labels} tones={tones} />
            <Problem reference={reference} />
          </BlockStack>,
          <Variant reference={reference} />,
        ],
      }))}
    />
  );
}

/** The price, and its wording for shoppers. */
function Payment({ reference }: { reference: ListedReference }) {
  const [price, rest] = usePaymentText()(reference);
  return (
    <BlockStack>
      <Text as="span">{price}</Text>
      <Text as="span" tone="subdued">
        {rest}
      </Text>
    </BlockStack>
  );
}

/** Why the shop does not sell the reference. */
function Problem({ reference: { state, problem, problemDetail } }: { reference: ListedReference }) {
  const say = useProblemText();
  if (state !== "withheld" || problem === null) return null;
  return (
    <Text as="span" tone="subdued" breakWord>
      {say(problem, problemDetail)}
    </Text>
  );
}

/** The variant that sells the reference, with its price if that differs. */
function Variant({
  reference: { referenceId, variant, priceMinor, currency },
}: {
  reference: ListedReference;
}) {
  const { t } = useTranslation("catalogue");
  const { format } = useShop();
  if (variant === null) return <Text as="span">–</Text>;
  return (
    <BlockStack>
      <Link
        url={`shopify://admin/products/${variant.productId}/variants/${variant.variantId}`}
        target="_top"
        accessibilityLabel={t("variantOf", { reference: referenceId })}
      >
        {t("variant")}
      </Link>
      {variant.priceMinor !== priceMinor && (
        <Text as="span" tone="caution">
          {t("otherPrice", { price: format.money(variant.priceMinor, currency) })}
        </Text>
      )}
    </BlockStack>
  );
}

export { clientAction, shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
