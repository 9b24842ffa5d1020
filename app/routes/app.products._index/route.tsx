/** Insured products: the rules that give each product of the shop its insurance. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import {
  readProductsAndCategories,
  readRuleNames,
  rulesOverview,
} from "#app/catalogue/product-categories/rules-overview.server.ts";
import { rulesForm } from "#app/catalogue/product-categories/rules.ts";
import { previewRules, saveRules } from "#app/catalogue/product-categories/rules.server.ts";
import { runView } from "#app/catalogue/runs/run.ts";
import { cancelRun, listRuns } from "#app/catalogue/runs/runs.server.ts";
import { catalogueSetup } from "#app/catalogue/catalogue-rows.server.ts";
import { listConnections } from "#app/merchants/connection.server.ts";
import { versionIn, versionOf } from "#app/merchants/settings.server.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { editorLink } from "#app/offers/editor-links.ts";
import { env } from "#app/platform/env.server.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { refused, success } from "#app/ui/action-result.ts";
import { ProductsPage } from "#app/ui/tabbed-page.tsx";
import { useErrorBanner } from "#app/ui/error-banner.tsx";
import { useAction, useActionResult, useRevalidateWhile, useToast } from "#app/ui/use-action.ts";
import { NextSetupStep, ProductsRefresh } from "./setup-cards.tsx";
import { type RulesActionResult, RulesEditor } from "./rules-editor.tsx";

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
    // A shop that went live has been set up.
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
  const { rules, run, products, categories, connected } = overview;
  const { t } = useTranslation(["products", "common"]);
  const saving = useAction<RulesActionResult>();
  const toast = useToast();
  const showError = useErrorBanner();
  const isApplying = run !== null && (run.active || run.followed);
  useRevalidateWhile(isApplying);

  useActionResult(saving.data, (result) => {
    if (result.state === "success") toast(t("rules.saved"));
    // What was saved elsewhere is shown by the editor.
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

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
