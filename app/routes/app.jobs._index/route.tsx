/** Jobs: how the queue does, and what gave up after its last attempt. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { discardForStaff, replayForStaff } from "#app/audit/dead-letters.server.ts";
import { listDeadLetters } from "#app/jobs/dead-letters.server.ts";
import { queueHealth } from "#app/jobs/queue-health.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { readLastReconciledAt } from "#app/plans/reconciliation/reconciliation-list.server.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { readPageRequest } from "#app/platform/list-page.ts";
import { success } from "#app/ui/action-result.ts";
import { SettingsPage } from "#app/ui/settings-page.tsx";
import { DeadLetterList } from "./dead-letter-list.tsx";
import type { DeadLetterActionResult } from "./dead-letter-list.tsx";
import { QueueCard } from "./queue-card.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop } = await requireMerchant(request);
  const [health, reconciledAt, letters] = await Promise.all([
    queueHealth(shop),
    readLastReconciledAt(shop),
    listDeadLetters(shop, readPageRequest(new URL(request.url).searchParams), 25),
  ]);
  return { health, reconciledAt, letters };
}

const intents = z.discriminatedUnion("intent", [
  z.object({ intent: z.enum(["replay", "discard"]), id: z.uuid() }),
  z.object({ intent: z.literal("replay_all") }),
]);

export async function action({ request }: ActionFunctionArgs): Promise<DeadLetterActionResult> {
  const { shop, actor } = await requireMerchant(request);
  const form = await parseForm(request, intents);
  switch (form.intent) {
    case "replay":
      return success({ message: "replay", count: await replayForStaff(shop, form.id, actor) });
    case "replay_all":
      return success({ message: "replay", count: await replayForStaff(shop, null, actor) });
    case "discard":
      return success({ message: "discard", count: (await discardForStaff(shop, form.id, actor)) ? 1 : 0 });
  }
}

export default function Jobs() {
  const { health, reconciledAt, letters } = useLoaderData<typeof loader>();
  const { t } = useTranslation("jobs");
  return (
    <SettingsPage subtitle={t("subtitle")}>
      <QueueCard health={health} reconciledAt={reconciledAt} />
      <DeadLetterList letters={letters} dead={health.deadLetters} />
    </SettingsPage>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
