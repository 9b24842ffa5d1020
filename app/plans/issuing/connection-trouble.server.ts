/** The service does not take the merchant's account: what is said of it, and what takes that back. */
import { NotFound, Unauthorised } from "#app/insurance/errors.ts";
import { saveConnectionState } from "#app/merchants/connection-state.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import type { Step } from "./next-step.ts";
import { closeTasks, openTask } from "#app/plans/tasks/tasks.server.ts";

/**
 * After a call that failed: whether the account is the reason is for the merchant to know, whatever the call was for.
 * A store that is not known is one as well; plans and orders that are not known never come here.
 */
export async function noteTrouble(
  shop: string,
  environment: Environment,
  doing: Step<unknown>["do"],
  error: unknown,
): Promise<void> {
  if (!(error instanceof Unauthorised || error instanceof NotFound)) return;
  await saveConnectionState(shop, environment, "refused");
  // Nobody waits for sales data.
  if (doing === "record") return;
  await openTask({ shop, kind: "connection", details: { problem: "refused" } });
}

/** The service takes the account (again): what was asked about that is answered. */
export async function noteRecovery(shop: string, environment: Environment): Promise<void> {
  await saveConnectionState(shop, environment, "accepted");
  await closeTasks(shop, { kind: "connection" }, "gone");
}
