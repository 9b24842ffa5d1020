/** Insured products: the rules that give each product of the shop its insurance. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import {
  Banner,
  BlockStack,
  Box,
  Button,
  Card,
  InlineStack,
  Link,
  ProgressBar,
  Text,
} from "@shopify/polaris";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { catalogueSetup, type CatalogueSetup } from "#app/catalogue/setup.server.ts";
import {
  readProductsAndCategories,
  readRuleNames,
  rulesOverview,
} from "#app/catalogue/product-categories/rules-overview.server.ts";
import { previewRules, saveRules } from "#app/catalogue/product-categories/rules.server.ts";
import { rulesForm } from "#app/catalogue/product-categories/rules.ts";
import { runView, type RunView } from "#app/catalogue/runs/run.ts";
import { cancelRun, listRuns } from "#app/catalogue/runs/runs.server.ts";
import { listConnections } from "#app/merchants/connection.server.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { versionIn, versionOf } from "#app/merchants/settings.server.ts";
import { editorLink } from "#app/offers/editor-links.ts";
import { env } from "#app/platform/env.server.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { refused, success } from "#app/ui/action-result.ts";
import { useAccount } from "#app/ui/account-notice.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { useErrorBanner } from "#app/ui/error-banner.tsx";
import { RunFailureBanner, RunProgress, useFurthestPercent } from "#app/ui/run-progress.tsx";
import { RunProblemsCard } from "#app/ui/run-problems.tsx";
import { InsurerProblem, toInsurerProblem } from "#app/ui/insurer-problem.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { ProductsPage } from "#app/ui/tabbed-page.tsx";
import { useAction, useActionResult, useRevalidateWhile, useToast } from "#app/ui/use-action.ts";
import { usePlacement } from "#app/ui/use-placement.ts";
import { type RulesActionResult, RulesEditor } from "./rules-editor.tsx";
import { Permitted, useRefusal } from "#app/ui/permitted.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const inUse = merchant.environment;
  const [overview, connections, [sync], setup] = await Promise.all([
    rulesOverview(shop, inUse),
    listConnections(shop),
    listRuns(shop, "catalogue", 1),
    catalogueSetup(shop, inUse),
  ]);
  return {
    ...overview,
    version: versionOf(overview.rules),
    names: await readRuleNames(shop, overview.rules),
    connected: connections.some((connection) => connection.environment === inUse),
    // A shop that went live has finished the set-up.
    isBeingSetUp: inUse === "test" && overview.rules.length > 0,
    setup,
    sync: sync ? runView(sync, new Date()) : null,
    editor: editorLink(shop, env.SHOPIFY_API_KEY, "product_page"),
  };
}

const intents = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("read") }),
  z.object({ intent: z.literal("cancel"), run: z.string().min(1) }),
  z.object({ intent: z.enum(["preview", "save"]), rules: z.string().max(1_000_000) }),
]);

export const action = pageAction(async ({ request }, { shop, actor }): Promise<RulesActionResult> => {
  const form = await parseForm(request, intents);
  switch (form.intent) {
    case "read": {
      const result = await readProductsAndCategories(shop, actor);
      if (result.state === "answered") return success({ run: result.value });
      return refused(result.state, "reason" in result ? result.reason : null);
    }
    case "cancel":
      return success({ stopping: await cancelRun(shop, form.run, actor) });
    case "preview":
    case "save": {
      const rules = rulesForm.safeParse(form.rules);
      if (!rules.success) return refused("malformed");
      if (form.intent === "preview") return success({ preview: await previewRules(shop, rules.data) });
      const run = await saveRules(shop, rules.data, actor, versionIn(request));
      return run === null ? refused("changed_elsewhere") : success({ run });
    }
  }
});

export default function Rules() {
  const overview = useLoaderData<typeof loader>();
  const { rules, run, problems, products, categories, connected } = overview;
  const { t } = useTranslation(["products", "common"]);
  const saving = useAction<RulesActionResult>();
  const toast = useToast();
  const showError = useErrorBanner();
  const isApplying = run !== null && (run.active || run.followed);
  useRevalidateWhile(isApplying);

  useActionResult(saving.data, (result) => {
    if (result.state === "success") toast(t("rules.saved"));
    // The editor shows rules that were saved in another window.
    else if (result.reason !== "changed_elsewhere") showError(t("rules.malformed"));
  });

  return (
    <ProductsPage>
      {overview.isBeingSetUp && !isApplying && <NextSetupStep {...overview} />}
      <ProductsRefresh
        run={run}
        products={products}
        isKnown={products > 0 && categories.length > 0}
        connected={connected}
      />
      {run?.active === false && <RunProblemsCard problems={problems} />}
      {(products > 0 || rules.length > 0) && categories.length > 0 && (
        <RulesEditor
          overview={overview}
          saving={saving.state !== "idle"}
          onSave={(draft, action) =>
            saving.submit({ intent: "save", rules: JSON.stringify(draft) }, { method: "post", action })
          }
        />
      )}
    </ProductsPage>
  );
}

export { clientAction, shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";

interface ProductsRefreshProps {
  run: RunView | null;
  products: number;
  /** products and categories exist to make rules of */
  isKnown: boolean;
  /** the insurer accepts requests for its categories */
  connected: boolean;
}

/** When the products were read last, and the button that reads them again. */
export function ProductsRefresh({ run, products, isKnown, connected }: ProductsRefreshProps) {
  const { t } = useTranslation("products");
  const { format } = useShop();
  const fetcher = useAction<RulesActionResult>();
  const read = () => fetcher.submit({ intent: "read" }, { method: "post" });
  // The first visit starts the reading.
  const begins = useRefusal() === null && connected && !isKnown && run === null;
  const { submit } = fetcher;
  useEffect(() => {
    if (begins) submit({ intent: "read" }, { method: "post" });
  }, [begins, submit]);
  const result = fetcher.data;
  const problem =
    result?.state === "refused" && result.reason !== "malformed" && result.reason !== "changed_elsewhere"
      ? toInsurerProblem(result.reason, result.detail)
      : null;
  if (run?.active) {
    return (
      <Card>
        <RunProgress
          run={run}
          title={t("reading")}
          onCancel={() => fetcher.submit({ intent: "cancel", run: run.id }, { method: "post" })}
        />
      </Card>
    );
  }
  return (
    <>
      {problem && <InsurerProblem problem={problem} onRetry={read} />}
      {run && <RunFailureBanner run={run} title={t("read.failed")} />}
      {!isKnown ? (
        <Permitted>
          <Card>
            <EmptyState
              title={t("begin.title")}
              body={t("begin.body")}
              action={{ content: t("begin.action"), onAction: read }}
            />
          </Card>
        </Permitted>
      ) : (
        run?.finishedAt && (
          <Box paddingInline={{ xs: "400", sm: "0" }}>
            <InlineStack gap="200" blockAlign="center">
              {run.state !== "failed" && (
                <Text as="p" tone="subdued">
                  {t(run.state === "cancelled" ? "read.stopped" : "read.last", {
                    day: format.date(run.finishedAt),
                    time: format.time(run.finishedAt),
                    products: format.number(products),
                    count: products,
                  })}
                </Text>
              )}
              <Permitted>
                <Button variant="plain" onClick={read} loading={fetcher.state !== "idle"}>
                  {t("read.again")}
                </Button>
              </Permitted>
            </InlineStack>
          </Box>
        )
      )}
    </>
  );
}

interface NextSetupStepProps {
  setup: CatalogueSetup;
  /** the last catalogue sync, or the running one */
  sync: RunView | null;
  /** address of the theme editor that places the offer */
  editor: string;
}

/** The remaining steps after the first rules, up to the first test order. It shows the shop's state, so it stays. */
export function NextSetupStep({ setup, sync, editor }: NextSetupStepProps) {
  useRevalidateWhile(sync?.active ?? false);
  // A later sync changes offers that the shop has already.
  if (setup.onSale > 0) return <OnSale setup={setup} editor={editor} />;
  if (sync?.active) return <Syncing sync={sync} />;
  return <StartSync products={setup.insuredProducts} failed={sync?.state === "failed"} />;
}

function StartSync({ products, failed }: { products: number; failed: boolean }) {
  const { t } = useTranslation("products");
  const fetcher = useAction();
  return (
    <Step
      tone={failed ? "warning" : "success"}
      title={failed ? t("next.sync.failed") : t("next.sync.title", { count: products })}
      body={t("next.sync.body")}
    >
      <Permitted>
        <Button
          variant="primary"
          loading={fetcher.state !== "idle"}
          onClick={() =>
            fetcher.submit({ intent: "sync" }, { method: "post", action: "/app/catalogue?index" })
          }
        >
          {t("next.sync.action")}
        </Button>
      </Permitted>
      {failed && <Link url="/app/catalogue">{t("next.sync.why")}</Link>}
    </Step>
  );
}

function Syncing({ sync }: { sync: RunView }) {
  const { t } = useTranslation("products");
  const { format } = useShop();
  const percent = useFurthestPercent(sync);
  const { id, phase, done, total } = sync;
  const progress =
    percent > sync.percent
      ? t("next.syncing.again")
      : phase === "publish"
        ? t("next.syncing.publish")
        : phase === "write" && total > 0
          ? t("next.syncing.write", { done: format.number(done), total: format.number(total) })
          : t("next.syncing.body");
  return (
    <Banner tone="info" title={t("next.syncing.title")}>
      <BlockStack gap="200">
        <ProgressBar progress={percent} size="small" ariaLabelledBy={`sync-${id}`} />
        <div id={`sync-${id}`} role="status">
          <Text as="p">{progress}</Text>
        </div>
      </BlockStack>
    </Banner>
  );
}

/** The offers are in the shop: next the theme shows them, then a test order proves it. */
function OnSale({ setup: { onSale, example }, editor }: Pick<NextSetupStepProps, "setup" | "editor">) {
  const { t } = useTranslation("products");
  const { shop } = useShop();
  const account = useAccount();
  const { placement } = usePlacement();
  if (placement === undefined || account?.hasSold === true) return null;
  if (placement !== null && !placement.placed.has("product_page")) {
    return (
      <Step tone="success" title={t("next.place.title", { count: onSale })} body={t("next.place.body")}>
        <Button variant="primary" url={editor} target="_blank">
          {t("next.place.action")}
        </Button>
      </Step>
    );
  }
  const page = `https://${shop}/${example === null ? "" : `products/${example}`}`;
  return (
    <Step tone="success" title={t("next.ready.title", { count: onSale })} body={t("next.ready.body")}>
      <Button variant="primary" url={page} target="_blank">
        {t("next.ready.see")}
      </Button>
      <Link url="/app">{t("next.ready.order")}</Link>
    </Step>
  );
}

interface StepProps {
  tone: "success" | "warning";
  title: string;
  body: string;
  children: ReactNode;
}

function Step({ tone, title, body, children }: StepProps) {
  return (
    <Banner tone={tone} title={title}>
      <BlockStack gap="200">
        <Text as="p">{body}</Text>
        <InlineStack gap="400" blockAlign="center">
          {children}
        </InlineStack>
      </BlockStack>
    </Banner>
  );
}
