/** Jobs, Reconciliation and past orders: walks over the shop's orders, under way and done, and the way to start one. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { requestableKinds, firstDay } from "#app/plans/reconciliation/reconciliation-form.ts";
import {
  requestReconciliation,
  listReconciliationRuns,
} from "#app/plans/reconciliation/reconciliation-list.server.ts";
import { stopReconciliation } from "#app/plans/reconciliation/reconciliation.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { readPageRequest } from "#app/platform/list-page.ts";
import { invalid, refused, success } from "#app/ui/action-result.ts";
import { SettingsPage } from "#app/ui/settings-page.tsx";
import { ReconciliationList } from "./reconciliation-list.tsx";
import { StartReconciliationCard } from "./start-reconciliation-card.tsx";
import type { ReconciliationActionResult } from "./start-reconciliation-card.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const today = toLocalDay(merchant.timezone, new Date());
  const runs = await listReconciliationRuns(shop, readPageRequest(new URL(request.url).searchParams), 25);
  return { today, firstDay: firstDay(today), runs };
}

const intents = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("start"),
    kind: z.enum(requestableKinds),
    start: z.string(),
    end: z.string(),
  }),
  z.object({ intent: z.literal("stop"), id: z.string() }),
]);

export async function action({ request }: ActionFunctionArgs): Promise<ReconciliationActionResult> {
  const { shop, merchant, actor } = await requireMerchant(request);
  const form = await parseForm(request, intents);
  if (form.intent === "stop")
    return (await stopReconciliation(shop, form.id, actor)) ? success("stopped") : refused("over");
  const result = await requestReconciliation(merchant, form, actor);
  switch (result.state) {
    case "started":
      return success("started");
    case "running":
      return refused("running");
    case "invalid":
      return invalid(result.problems);
  }
}

export default function Runs() {
  const { today, firstDay, runs } = useLoaderData<typeof loader>();
  const { t } = useTranslation("jobs");
  return (
    <SettingsPage subtitle={t("reconciliation")}>
      <StartReconciliationCard today={today} firstDay={firstDay} />
      <ReconciliationList runs={runs} />
    </SettingsPage>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
