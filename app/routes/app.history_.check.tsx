/** /app/history/check: starts and stops a check of orders, or sends past orders (Settings, General). */
import { z } from "zod";
import { pageAction } from "#app/merchants/guard.server.ts";
import {
  type ReconciliationProblem,
  type ReconciliationProblems,
  requestableKinds,
} from "#app/plans/reconciliation/reconciliation.ts";
import {
  requestReconciliation,
  stopReconciliation,
} from "#app/plans/reconciliation/reconciliation.server.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { type ActionResult, invalid, refused, success } from "#app/ui/action-result.ts";

/** `running`: one of the kind is under way; `over`: it had ended before it could be stopped. */
export type OrderCheckResult = ActionResult<
  "started" | "stopped",
  "running" | "over",
  keyof ReconciliationProblems,
  ReconciliationProblem
>;

const intents = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("start"),
    kind: z.enum(requestableKinds),
    start: z.string(),
    end: z.string(),
  }),
  z.object({ intent: z.literal("stop"), id: z.string() }),
]);

export const action = pageAction(
  async ({ request }, { shop, merchant, actor }): Promise<OrderCheckResult> => {
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
  },
);

export { clientAction } from "#app/ui/client-action.ts";
