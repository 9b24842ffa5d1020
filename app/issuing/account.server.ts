/**
 * A merchant's account at the insurer, as its orders find it. While it cannot be used, the orders that need it wait in a
 * table, not each in a job of its own, until the probe (probe-account.server.ts) finds that it can be used.
 */
import { NotFound } from "#app/insurance/errors.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import {
  accountProbeKey,
  requestAccountCheck,
  saveConnectionState,
} from "#app/merchants/connection-state.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { closeTasks, openTask } from "#app/orders/tasks/tasks.server.ts";

const FIRST_PROBE_MS = 2_000;

/** Lets the orders of the account wait until the insurer processes one of them. */
export async function pauseAccount(shop: string, environment: Environment): Promise<void> {
  await db.$transaction(async (tx) => {
    const { count } = await tx.accountPause.createMany({
      data: { shop, environment },
      skipDuplicates: true,
    });
    if (count === 0) return;
    const account = { shop, environment };
    const startAfter = new Date(Date.now() + FIRST_PROBE_MS);
    const singletonKey = accountProbeKey(account);
    await sendJob(tx, "account-probe", account, { singletonKey, startAfter });
    log.info({ shop }, "Orders wait: the insurer refuses the account");
  });
}

/**
 * After a failed call: has the account checked where the insurer does not know the store; plans and orders that it does
 * not know never come here. A refused token pauses the account, whose probe checks it.
 */
export async function noteConnectionFailure(
  shop: string,
  environment: Environment,
  error: unknown,
): Promise<void> {
  if (error instanceof NotFound) await requestAccountCheck(shop, environment);
}

/** The insurer refuses the account itself. A task says so where paid contracts or cancellations wait for it. */
export async function noteConnectionRefusal(shop: string, environment: Environment): Promise<void> {
  const isAwaited =
    (await countWaitingPlans(shop, environment)) > 0 || (await hasWaitingCancellation(shop, environment));
  if (isAwaited) await openTask({ shop, kind: "connection", details: { problem: "refused" } });
}

/** How many orders wait for an account. */
export const countWaitingOrders = (shop: string): Promise<number> =>
  db.waitingOrder.count({ where: { shop } });

/** How many paid contracts of an account wait for the insurer. */
export async function countWaitingPlans(shop: string, environment: Environment): Promise<number> {
  return db.insuredItem.count({
    where: {
      shop,
      state: { in: ["pending", "creating", "unknown"] },
      wanted: true,
      order: { environment, cancelledAt: null, paidAt: { not: null } },
    },
  });
}

/** Whether a cancelled order waits for the account while its contracts are still in force. */
async function hasWaitingCancellation(shop: string, environment: Environment): Promise<boolean> {
  const waitingOrders = await db.waitingOrder.findMany({
    where: { shop, environment },
    select: { orderId: true },
  });
  const active = await db.insuredItem.findFirst({
    where: {
      shop,
      orderId: { in: waitingOrders.map(({ orderId }) => orderId) },
      state: { in: ["active", "cancelling"] },
      OR: [{ wanted: false }, { order: { cancelledAt: { not: null } } }],
    },
  });
  return active !== null;
}

/** The insurer accepts the account: the task about it is closed. */
export async function noteConnectionRecovery(shop: string, environment: Environment): Promise<void> {
  await saveConnectionState(shop, environment, "accepted");
  await closeTasks(shop, { kind: "connection" }, "obsolete");
}
