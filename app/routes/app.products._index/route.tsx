/** Products and categories: the rules that give each product of the shop its insurance. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useFetcher, useLoaderData } from "@remix-run/react";
import type { ShouldRevalidateFunction } from "@remix-run/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { readRuleNames } from "#app/catalogue/product-categories/rule-names.server.ts";
import { rulesForm } from "#app/catalogue/product-categories/rules.ts";
import {
  readProductsAndCategories,
  rulesOverview,
} from "#app/catalogue/product-categories/rules-overview.server.ts";
import { previewRules, saveRules } from "#app/catalogue/product-categories/rules.server.ts";
import { cancelRun, listRuns } from "#app/catalogue/runs/runs.server.ts";
import { listConnections } from "#app/merchants/connection.server.ts";
import { environment } from "#app/merchants/connection.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { editorLink } from "#app/offers/placement.ts";
import { env } from "#app/platform/env.server.ts";
import { ProductsPage } from "#app/ui/products-page.tsx";
import { useToast } from "#app/ui/toast.ts";
import { useAnswer } from "#app/ui/use-answer.ts";
import { useRefreshWhile } from "#app/ui/use-refresh.ts";
import type { Answer } from "./answer.ts";
import { NextStep } from "./next-step.tsx";
import { Reading } from "./reading.tsx";
import { RulesEditor } from "./rules-editor.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const inUse = environment.parse(merchant.environment);
  const [overview, connections, syncs] = await Promise.all([
    rulesOverview(shop, inUse),
    listConnections(shop),
    listRuns(shop, "catalogue", 1),
  ]);
  return {
    ...overview,
    names: await readRuleNames(shop, overview.rules),
    connected: connections.some((connection) => connection.environment === inUse),
    synced: syncs.length > 0,
    editor: editorLink(shop, env.SHOPIFY_API_KEY, "product_page"),
  };
}

const intents = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("read") }),
  z.object({ intent: z.literal("cancel"), run: z.string().min(1) }),
  z.object({ intent: z.enum(["preview", "save"]), rules: z.string().max(1_000_000) }),
]);

export async function action({ request }: ActionFunctionArgs): Promise<Answer> {
  const { shop } = await requireMerchant(request);
  const asked = intents.safeParse(Object.fromEntries(await request.formData()));
  if (!asked.success) throw new Response(null, { status: 400 });
  if (asked.data.intent === "read") return { done: "read", result: await readProductsAndCategories(shop) };
  if (asked.data.intent === "cancel") {
    return { done: "cancel", stopping: await cancelRun(shop, asked.data.run) };
  }
  const { intent, rules: given } = asked.data;
  const rules = rulesForm.safeParse(given);
  if (!rules.success) return { done: intent, malformed: true };
  return intent === "preview"
    ? { done: "preview", preview: await previewRules(shop, rules.data) }
    : { done: "save", run: await saveRules(shop, rules.data) };
}

/** A preview changes nothing. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ formData, defaultShouldRevalidate }) =>
  formData?.get("intent") === "preview" ? false : defaultShouldRevalidate;

export default function Rules() {
  const overview = useLoaderData<typeof loader>();
  const { rules, run, products, categories, connected, synced, editor } = overview;
  const { t } = useTranslation("products");
  const saving = useFetcher<Answer>();
  const toast = useToast();
  const [isFirst] = useState(rules.length === 0);
  useRefreshWhile(run !== null && (run.active || run.followed));

  useAnswer(saving.data, (answer) => {
    if ("run" in answer) toast(t("rules.saved"));
    else toast(t("rules.malformed"), { isError: true });
  });

  return (
    <ProductsPage>
      {isFirst && rules.length > 0 && <NextStep synced={synced} editor={editor} />}
      <Reading
        run={run}
        products={products}
        isKnown={products > 0 && categories.length > 0}
        connected={connected}
      />
      {(products > 0 || rules.length > 0) && categories.length > 0 && (
        // Once other rules are saved, the draft begins anew from them.
        <RulesEditor
          key={JSON.stringify(rules)}
          overview={overview}
          saving={saving.state !== "idle"}
          onSave={(draft) =>
            saving.submit({ intent: "save", rules: JSON.stringify(draft) }, { method: "post" })
          }
        />
      )}
    </ProductsPage>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
