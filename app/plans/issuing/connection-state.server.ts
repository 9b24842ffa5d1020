/** Whether the service accepts the merchant's account, as the calls about orders find out. */
import { NotFound, Unauthorised } from "#app/insurance/errors.ts";
import { saveConnectionState } from "#app/merchants/connection-state.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { closeTasks, openTask } from "#app/plans/tasks/tasks.server.ts";
import type { Step } from "./next-step.ts";

/**
 * After a failed call: tells the merchant where the account is the reason. A store that the service does not know is
 * one as well; plans and orders that it does not know never come here.
 */
export async function noteConnectionFailure(
  shop: string,
  environment: Environment,
  step: Step<unknown>["do"],
  error: unknown,
): Promise<void> {
  if (!(error instanceof Unauthorised || error instanceof NotFound)) return;
  await saveConnectionState(shop, environment, "refused");
  // No customer waits for sales data.
  if (step === "record") return;
  await openTask({ shop, kind: "connection", details: { problem: "refused" } });
}

/** The service accepts the account (again): the task about it is closed. */
export async function noteConnectionRecovery(shop: string, environment: Environment): Promise<void> {
  await saveConnectionState(shop, environment, "accepted");
  await closeTasks(shop, { kind: "connection" }, "obsolete");
}
