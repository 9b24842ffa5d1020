/**
 * While a merchant's account at the service cannot be used, its orders wait in a table, not each in a job of its own
 * (probe-account.server.ts ends that).
 */
import { z } from "zod";
import { Unauthorised, Unavailable } from "#app/insurance/errors.ts";
import type { JobPayloads } from "#app/jobs/definitions.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import { environment as environmentSchema } from "#app/merchants/connection.ts";
import { accountProbeKey } from "#app/merchants/connection-state.server.ts";
import { grantedColumn } from "#app/merchants/optional-scopes.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { scheduleOrderCover } from "#app/plans/order-cover/publish-order-cover.server.ts";
import { NotConnectedError } from "./run-step.server.ts";

/** Shops that this process has found paused: all others need no query. */
const maybePaused = new Set<string>();

/** Whether an error is about the account as a whole: no other order would fare better now. */
export function isAboutAccount(error: unknown): boolean {
  if (error instanceof Unavailable) return error.code === "circuit_open";
  return error instanceof Unauthorised || error instanceof NotConnectedError;
}

const FIRST_PROBE_MS = 2_000;

/** Lets the orders of this one's account wait until the service processes one of them. */
export async function pauseAccount(shop: string, orderId: string): Promise<void> {
  maybePaused.add(shop);
  const order = await db.order.findUnique({
    where: { shop_orderId: { shop, orderId } },
    select: { environment: true },
  });
  if (!order) return;
  const environment = environmentSchema.parse(order.environment);
  await db.$transaction(async (tx) => {
    const { count } = await tx.accountPause.createMany({
      data: { shop, environment },
      skipDuplicates: true,
    });
    if (count === 0) return;
    const startAfter = new Date(Date.now() + FIRST_PROBE_MS);
    await scheduleProbe({ shop, environment }, { startAfter, transaction: tx });
    log.info({ shop }, "Orders wait: the service refuses the account");
  });
}

type Account = JobPayloads["account-probe"];

/** The job that probes whether the account can be used again (probe-account.server.ts). */
export async function scheduleProbe(
  account: Account,
  options: { startAfter: Date; transaction: Transaction },
): Promise<void> {
  await sendJob("account-probe", account, { singletonKey: accountProbeKey(account), ...options });
}

const parked = z.tuple([z.object({ isPaused: z.boolean(), canWriteOrders: z.boolean() })]);

/**
 * Has the order wait where its account is paused. The pause's row is locked meanwhile, so the end of the pause finds
 * every order that waits.
 * @returns false: the account is not paused
 */
export async function waitIfPaused(shop: string, orderId: string): Promise<boolean> {
  if (!maybePaused.has(shop)) return false;
  const rows = await db.$queryRaw`
    WITH paused AS (
      SELECT p.environment, ${grantedColumn("orderCover")} AS "canWriteOrders" FROM "Order" AS o
        JOIN "AccountPause" AS p ON p.shop = o.shop AND p.environment = o.environment
      WHERE o.shop = ${shop} AND o."orderId" = ${orderId}
      FOR KEY SHARE OF p
    ), waiting AS (
      INSERT INTO "WaitingOrder" (shop, "orderId", environment)
      SELECT ${shop}, ${orderId}, environment FROM paused
      ON CONFLICT DO NOTHING
    )
    SELECT EXISTS (SELECT FROM paused) AS "isPaused",
      COALESCE((SELECT "canWriteOrders" FROM paused), false) AS "canWriteOrders"`;
  const [{ isPaused, canWriteOrders }] = parked.parse(rows);
  // Its customer sees that the contract is on its way.
  if (canWriteOrders) await scheduleOrderCover(shop, orderId);
  if (!isPaused) {
    const pauses = await db.accountPause.count({ where: { shop } });
    if (pauses === 0) maybePaused.delete(shop);
  }
  return isPaused;
}
