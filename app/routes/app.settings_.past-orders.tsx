/** /app/settings/past-orders: starts and stops sending past orders to the insurer (Settings, Data and reports). */
import { z } from "zod";
import { pageAction } from "#app/merchants/guard.server.ts";
import { startBackfill, stopReconciliation } from "#app/reconciliation/reconciliation.server.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { type ActionResult, refused, success } from "#app/ui/action-result.ts";

/** `running`: a run is active; `day`: the day is not selectable; `over`: the run had ended before the stop. */
export type PastOrdersResult = ActionResult<"started" | "stopped", "running" | "day" | "over">;

const intents = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("start"), since: z.string() }),
  z.object({ intent: z.literal("stop"), id: z.string() }),
]);

export const action = pageAction(
  async ({ request }, { shop, merchant, actor }): Promise<PastOrdersResult> => {
    const form = await parseForm(request, intents);
    if (form.intent === "stop")
      return (await stopReconciliation(shop, form.id, actor)) ? success("stopped") : refused("over");
    const outcome = await startBackfill(merchant, form.since, actor);
    return outcome === "started" ? success("started") : refused(outcome);
  },
);

export { clientAction } from "#app/ui/client-action.ts";
