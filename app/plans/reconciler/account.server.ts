/**
 * A merchant's account at the service, as its orders find it. While it cannot be used, the orders that need it wait in a
 * table, not each in a job of its own. One job probes the account by one of them: another request might be answered
 * while contracts are still refused. Then all that wait go back to the queue.
 */
import { z } from "zod";
import { NotFound, Unauthorised, Unavailable } from "#app/insurance/errors.ts";
import { hasOpenJob } from "#app/jobs/queue-tables.server.ts";
import type { JobPayloads } from "#app/jobs/definitions.ts";
import { sendJob, sendJobs } from "#app/jobs/queue.server.ts";
import {
  accountProbeKey,
  requestAccountCheck,
  saveConnectionState,
} from "#app/merchants/connection-state.server.ts";
import { checkConnection } from "#app/merchants/connection.server.ts";
import { environment as environmentSchema } from "#app/merchants/connection.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { AppError } from "#app/platform/app-error.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { log } from "#app/platform/log.server.ts";
import { closeTasks, openTask } from "#app/plans/tasks/tasks.server.ts";
import { reconcileOrder } from "./reconcile-order.server.ts";
import { sendOrderJobs } from "./schedule.server.ts";

/** There is work for the service and the merchant has no account there. */
export class NotConnectedError extends AppError {
  override name = "NotConnectedError";
  constructor(shop: string) {
    super(`${shop} has paid plans waiting and is not connected to the insurance service`);
  }
}

/** Whether an error is about the account as a whole: no other order would fare better now. */
export function isAboutAccount(error: unknown): boolean {
  if (error instanceof Unavailable) return error.code === "circuit_open";
  return error instanceof Unauthorised || error instanceof NotConnectedError;
}

const FIRST_PROBE_MS = 2_000;

/** Lets the orders of the account wait until the service processes one of them. */
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
    await sendJob("account-probe", account, { singletonKey, startAfter, transaction: tx });
    log.info({ shop }, "Orders wait: the service refuses the account");
  });
}

/** How many orders a probe tries that say nothing about the account, because each has to wait, or nothing is to be done. */
const TRIED = 5;

/** No waiting order could be processed: the account is still paused. */
class AccountStillPaused extends AppError {
  override name = "AccountStillPaused";
}

/**
 * The job: processes the order that waits longest; once that succeeds, the account's orders go on. Where none waits, the
 * cheapest request says whether the account is accepted.
 * @throws InsuranceError, NotConnectedError, AccountStillPaused: not yet
 */
export async function probeAccount({ shop, environment }: JobPayloads["account-probe"]): Promise<void> {
  const oldest = await db.waitingOrder.findMany({
    where: { shop, environment },
    orderBy: { since: "asc" },
    take: TRIED,
    select: { orderId: true },
  });
  if (oldest.length > 0) await serveOne(shop, environment, oldest);
  else await checkAccount(shop, environment);
  await noteConnectionRecovery(shop, environment);
  // Waits for those who are just adding an order; whoever comes later finds no pause.
  await db.accountPause.deleteMany({ where: { shop, environment } });
  let resumed = 0;
  for (let taken = -1; taken !== 0; resumed += taken) taken = await resumeSome(shop, environment);
  log.info({ shop, orders: resumed }, "Released waiting orders: the service accepts the account again");
}

async function serveOne(
  shop: string,
  environment: Environment,
  orders: readonly { orderId: string }[],
): Promise<void> {
  try {
    if (await isOneServed(shop, orders)) return;
  } catch (error) {
    // The refusal may be about this order alone: the account itself is probed.
    if (error instanceof Unauthorised) await checkAccount(shop, environment);
    throw error;
  }
  throw new AccountStillPaused(`${shop}: orders still wait`);
}

/** @throws AccountStillPaused where the service refuses the account: the next attempt probes again */
async function checkAccount(shop: string, environment: Environment): Promise<void> {
  const result = await checkConnection(shop, environment);
  if (result === null || result.state === "accepted") return;
  if (result.state !== "unreachable") await noteConnectionRefusal(shop, environment);
  throw new AccountStillPaused(`${shop}: ${result.state}`);
}

/** @throws InsuranceError, NotConnectedError */
async function isOneServed(shop: string, orders: readonly { orderId: string }[]): Promise<boolean> {
  for (const { orderId } of orders) {
    const where = { shop, orderId };
    try {
      const result = await reconcileOrder(shop, orderId, { isProbe: true });
      if (result === "served") return true;
      // It needs no request to the service, so it proves nothing about the account and need not wait for it.
      if (result === "idle") await db.waitingOrder.deleteMany({ where });
    } finally {
      // To the end of the line: the trouble may be this order's own, and others are tried next time.
      await db.waitingOrder.updateMany({ where, data: { since: new Date() } });
    }
  }
  return false;
}

const ORDERS_AT_ONCE = 500;
const orderIds = z.array(z.object({ orderId: z.string() }));

/** @returns how many */
async function resumeSome(shop: string, environment: Environment): Promise<number> {
  return db.$transaction(async (tx) => {
    const rows = await tx.$queryRaw`
      DELETE FROM "WaitingOrder" WHERE shop = ${shop} AND "orderId" IN (
        SELECT "orderId" FROM "WaitingOrder" WHERE shop = ${shop} AND environment = ${environment}
        ORDER BY since LIMIT ${ORDERS_AT_ONCE} FOR UPDATE)
      RETURNING "orderId"`;
    const orders = orderIds.parse(rows);
    await sendOrderJobs(shop, orders, tx);
    return orders.length;
  });
}

const pausedAccounts = z.array(z.object({ shop: z.string(), environment: environmentSchema }));

/** Every hour: a pause whose job is lost gets another, and so do orders that wait without a pause. */
export async function probeAllPaused(): Promise<void> {
  const paused = await db.$queryRaw`
    SELECT shop, environment FROM (
      SELECT shop, environment FROM "AccountPause" UNION SELECT shop, environment FROM "WaitingOrder"
    ) AS account
    WHERE NOT ${hasOpenJob("account-probe", {
      shop: Prisma.sql`account.shop`,
      environment: Prisma.sql`account.environment`,
    })}`;
  await sendJobs(
    "account-probe",
    pausedAccounts
      .parse(paused)
      .map((account) => ({ payload: account, singletonKey: accountProbeKey(account) })),
  );
}

/**
 * After a failed call: has the account checked where the service does not know the store; plans and orders that it does
 * not know never come here. A refused token pauses the account, whose probe checks it.
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
