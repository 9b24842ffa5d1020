/** Whether the service accepts the merchant's account, as the calls about orders find out. */
import { z } from "zod";
import { NotFound } from "#app/insurance/errors.ts";
import { requestAccountCheck, saveConnectionState } from "#app/merchants/connection-state.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { closeTasks, openTask } from "#app/plans/tasks/tasks.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { StepContext } from "./step.server.ts";

/**
 * After a failed call: has the account checked where the service does not know the store; plans and orders that it does
 * not know never come here. A refused token pauses the account, whose probe checks it (pauses.server.ts).
 */
export async function noteConnectionFailure(
  shop: string,
  environment: Environment,
  error: unknown,
): Promise<void> {
  if (error instanceof NotFound) await requestAccountCheck(shop, environment);
}

/** The service refuses the account itself. A task says so where paid contracts or cancellations wait for it. */
export async function noteConnectionRefusal(shop: string, environment: Environment): Promise<void> {
  const isAwaited =
    (await countWaitingPlans(shop, environment)) > 0 || (await hasWaitingCancellation(shop, environment));
  if (isAwaited) await openTask({ shop, kind: "connection", details: { problem: "refused" } });
}

const waiting = z.tuple([z.object({ plans: z.coerce.number() })]);

/** How many paid contracts of an account wait for the service. */
export async function countWaitingPlans(shop: string, environment: Environment): Promise<number> {
  const rows = await db.$queryRaw`
    SELECT count(*) AS plans
    FROM "InsuredUnit" AS u JOIN "Order" AS o ON o.shop = u.shop AND o."orderId" = u."orderId"
    WHERE u.shop = ${shop} AND u.state IN ('pending', 'creating', 'unknown') AND u.wanted
      AND o.environment = ${environment} AND o."cancelledAt" IS NULL AND o."paidAt" IS NOT NULL`;
  return waiting.parse(rows)[0].plans;
}

/** Whether a cancelled order waits for the account while its contracts are still in force. */
async function hasWaitingCancellation(shop: string, environment: Environment): Promise<boolean> {
  const waitingOrders = await db.waitingOrder.findMany({
    where: { shop, environment },
    select: { orderId: true },
  });
  const active = await db.insuredUnit.findFirst({
    where: {
      shop,
      orderId: { in: waitingOrders.map(({ orderId }) => orderId) },
      state: { in: ["active", "cancelling"] },
      wanted: false,
    },
  });
  return active !== null;
}

/** The service accepts the account: the task about it is closed. */
export async function noteConnectionRecovery(shop: string, environment: Environment): Promise<void> {
  await saveConnectionState(shop, environment, "accepted");
  await closeTasks(shop, { kind: "connection" }, "obsolete");
}

/** The service has carried out, or decided, a request of this step: a state that says otherwise is over. */
export async function noteServiceResponse({
  shop,
  order,
  connectionState,
}: Pick<StepContext, "shop" | "order" | "connectionState">): Promise<void> {
  if (connectionState !== "accepted") await noteConnectionRecovery(shop, order.environment);
}
