/**
 * The probe of a paused account. It processes one of the orders that wait: another request might be answered while
 * contracts are still refused. Once one succeeds, all that wait go back to the queue.
 */
import { z } from "zod";
import { Unauthorised } from "#app/insurance/errors.ts";
import { hasOpenJob } from "#app/jobs/queue-tables.server.ts";
import type { JobPayloads } from "#app/jobs/definitions.ts";
import { sendJobs } from "#app/jobs/queue.server.ts";
import { accountProbeKey } from "#app/merchants/connection-state.server.ts";
import { checkConnection } from "#app/merchants/connection.server.ts";
import { type Environment, environment } from "#app/merchants/connection.ts";
import { AppError } from "#app/platform/app-error.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { noteConnectionRecovery, noteConnectionRefusal } from "./account.server.ts";
import { reconcileOrder } from "./reconcile-order.server.ts";
import { resumeWaitingOrders } from "#app/orders/schedule.server.ts";

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
  // Waits for transactions that are adding an order; later ones find no pause.
  await db.accountPause.deleteMany({ where: { shop, environment } });
  let resumed = 0;
  for (let taken = -1; taken !== 0; resumed += taken) taken = await resumeWaitingOrders(shop, environment);
  log.info({ shop, orders: resumed }, "Released waiting orders: the insurer accepts the account again");
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

/** @throws AccountStillPaused where the insurer refuses the account, or there is none: the next attempt probes again */
async function checkAccount(shop: string, environment: Environment): Promise<void> {
  const result = await checkConnection(shop, environment);
  if (result?.state === "accepted") return;
  if (result === null) {
    // Its orders wait until it is connected again.
    if ((await db.waitingOrder.count({ where: { shop, environment } })) === 0) return;
    throw new AccountStillPaused(`${shop}: not connected`);
  }
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
      // It needs no request to the insurer, so it proves nothing about the account and need not wait for it.
      if (result === "idle") await db.waitingOrder.deleteMany({ where });
    } finally {
      // To the end of the line: the trouble may be this order's own, and others are tried next time.
      await db.waitingOrder.updateMany({ where, data: { since: new Date() } });
    }
  }
  return false;
}

/** Every hour: a pause whose job is lost gets another, and so do orders that wait without a pause. */
export async function probeAllPaused(): Promise<void> {
  const accounts = await findUnprobedAccounts();
  await sendJobs(
    db,
    "account-probe",
    accounts.map((account) => ({ payload: account, singletonKey: accountProbeKey(account) })),
  );
}

const accounts = z.array(z.object({ shop: z.string(), environment }));

/** The accounts that are paused, or that orders wait for, and that no job probes. */
async function findUnprobedAccounts(): Promise<z.infer<typeof accounts>> {
  const rows = await db.$queryRaw`
    SELECT shop, environment FROM (
      SELECT shop, environment FROM "AccountPause" UNION SELECT shop, environment FROM "WaitingOrder"
    ) AS account
    WHERE NOT ${hasOpenJob("account-probe", {
      shop: Prisma.sql`account.shop`,
      environment: Prisma.sql`account.environment`,
    })}`;
  return accounts.parse(rows);
}
