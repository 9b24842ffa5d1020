/** One run: what it did, what went wrong, and the way to do it again. */
import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Card, Link, Page, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { cancelRun, retryRun, runDetail, type RunProblemRow } from "#app/catalogue/runs/runs.server.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { notFound, parseForm } from "#app/platform/form.server.ts";
import { readPageRequest } from "#app/platform/list-page.ts";
import { success } from "#app/ui/action-result.ts";
import { KeyValueList } from "#app/ui/details.tsx";
import { CursorPagination, ListTable } from "#app/ui/list-table.tsx";
import {
  RunFailureBanner,
  RunProgress,
  runTones,
  useRunTexts,
  WaitingVariantsBanner,
} from "#app/ui/run-progress.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { useAction, useRevalidateWhile } from "#app/ui/use-action.ts";
import { useProblemText } from "#app/ui/use-catalogue-texts.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const { shop } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  const detail = await runDetail(shop, params["runId"] ?? "", readPageRequest(search), 50);
  if (!detail) throw notFound();
  return detail;
}

const form = z.object({ intent: z.enum(["cancel", "retry"]) });

export const action = pageAction(async ({ request, params }, { shop, actor }) => {
  const runId = params["runId"] ?? "";
  const { intent } = await parseForm(request, form);
  if (intent === "cancel") return success({ stopping: await cancelRun(shop, runId, actor) });
  const next = await retryRun(shop, runId, actor);
  if (!next) throw notFound();
  return redirect(`/app/catalogue/runs/${next.id}`);
});

export default function Run() {
  const { run, problems } = useLoaderData<typeof loader>();
  const { t } = useTranslation("catalogue");
  const { format } = useShop();
  const words = useRunTexts();
  const fetcher = useAction();
  const submit = (given: z.infer<typeof form>) => fetcher.submit(given, { method: "post" });
  useRevalidateWhile(run.active);
  const figures = words.figures(run).map((figure) => figure.join(" "));
  const details: [string, string][] = [
    [t("history.reason"), words.reason(run)],
    [
      t("detail.spent"),
      t("detail.calls", {
        service: format.number(run.spent.serviceCalls),
        admin: format.number(run.spent.adminCalls),
        points: format.number(run.spent.points),
      }),
    ],
    [t("history.result"), figures.length > 0 ? figures.join(", ") : t("run.nothing")],
  ];
  if (run.finishedAt) {
    const seconds = Math.max(1, Math.round((run.finishedAt.getTime() - run.createdAt.getTime()) / 1_000));
    details.push([
      t("detail.duration"),
      seconds < 90
        ? t("history.took.seconds", { count: seconds })
        : t("history.took.minutes", { count: Math.round(seconds / 60) }),
    ]);
  }
  return (
    <Page
      title={t("detail.title", { kind: words.kind(run), date: format.dateTime(run.createdAt) })}
      backAction={{ content: t("tab.runs"), url: "/app/catalogue/runs" }}
      titleMetadata={<StatusBadge status={run.state} labels={words.states} tones={runTones} />}
      primaryAction={
        run.active
          ? undefined
          : {
              content: t(run.state === "failed" ? "detail.retry" : "detail.again"),
              onAction: () => submit({ intent: "retry" }),
              loading: fetcher.state !== "idle",
            }
      }
    >
      <BlockStack gap="400">
        {run.active && (
          <Card>
            <RunProgress run={run} title={words.kind(run)} onCancel={() => submit({ intent: "cancel" })} />
          </Card>
        )}
        <RunFailureBanner run={run} title={t("run.state.failed")} />
        <WaitingVariantsBanner run={run} />
        <Card>
          <KeyValueList items={details} />
        </Card>
        <Card padding={problems.items.length > 0 ? "0" : "400"}>
          {problems.items.length > 0 ? (
            <ProblemTable problems={problems.items} />
          ) : (
            <Text as="p" tone="subdued">
              {t("detail.noProblems")}
            </Text>
          )}
          <CursorPagination page={problems} />
        </Card>
      </BlockStack>
    </Page>
  );
}

/** What a run could not do, each with the reference, category or product that it concerns. */
function ProblemTable({ problems }: { problems: RunProblemRow[] }) {
  const { t } = useTranslation("catalogue");
  const say = useProblemText();
  return (
    <ListTable
      columns={[{ title: t("detail.where") }, { title: t("detail.problem") }]}
      rows={problems.map((problem) => ({
        key: problem.id,
        cells: [
          <Where problem={problem} />,
          <Text as="span" breakWord>
            {say(problem.problem, problem.detail)}
          </Text>,
        ],
      }))}
    />
  );
}

function Where({ problem: { referenceId, categoryId, productId } }: { problem: RunProblemRow }) {
  const { t } = useTranslation("catalogue");
  if (referenceId !== null) {
    return <Link url={`/app/catalogue?query=${encodeURIComponent(referenceId)}`}>{referenceId}</Link>;
  }
  if (productId !== null) {
    return (
      <Link url={`shopify://admin/products/${productId}`} target="_top">
        {t("detail.product", { id: productId })}
      </Link>
    );
  }
  return <Text as="span">{categoryId ?? "–"}</Text>;
}

export { clientAction, shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
