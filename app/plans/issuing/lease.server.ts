/**
 * One worker at a time acts on an order. Its lease is kept in the order's row, on the database's clock, and renewed
 * while the work goes on: a killed worker's lease ends by itself, and a worker that was stopped and resumed notices
 * that its lease has ended before it sends anything.
 */
import { AppError } from "#app/platform/app-error.ts";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import {
  readWorkingOrder,
  storedOrder,
  toWorkingOrder,
  workingOrderColumns,
  writeSalesRecordStatus,
} from "./working-order.server.ts";
import type { WorkingOrder } from "./working-order.server.ts";

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** Ample time between the check and the first byte sent to the service. */
const MARGIN_MS = 3_000;

export interface Lease {
  holder: string;
  /** false once another worker may have taken over; by the monotonic clock, which goes on in a stopped process */
  isHeld(): boolean;
  /**
   * Ends the lease, and saves the order's sales record status where the worker changed it.
   * @returns false where the order has a newer revision, or the lease was lost: read the order again
   */
  release(order: Pick<WorkingOrder, "revision" | "salesRecordStatus">): Promise<boolean>;
}

/** `heldUntil`: another worker has the order. It sees everything that is stored by now, unless it is dead. */
export type AcquireResult = { lease: Lease; order: WorkingOrder } | { heldUntil: Date };

const acquired = z
  .array(
    z.object({
      order: storedOrder.nullable(),
      /** false: the order changed while this statement waited for its row, so the units are stale */
      isWhole: z.boolean().nullable(),
      heldUntil: z.coerce.date(),
    }),
  )
  .max(1);

/** Takes the lease of an order and reads the order with its units. Null: there is no such order. */
export async function acquireLease(shop: string, orderId: string): Promise<AcquireResult | null> {
  const holder = randomUUID();
  const startedAt = performance.now();
  const rows = await db.$queryRaw`
    WITH before AS (
      SELECT revision, "leaseExpiresAt" FROM "Order" WHERE shop = ${shop} AND "orderId" = ${orderId}
    ), acquired AS (
      UPDATE "Order" AS o
      SET "leaseHolder" = ${holder}, "leaseExpiresAt" = now() + ${LEASE_MS} * interval '1 millisecond'
      WHERE o.shop = ${shop} AND o."orderId" = ${orderId} AND (o."leaseExpiresAt" IS NULL OR o."leaseExpiresAt" < now())
      RETURNING ${workingOrderColumns}
    )
    SELECT to_jsonb(acquired) AS "order", acquired.revision = before.revision AS "isWhole",
      GREATEST(before."leaseExpiresAt", now()) + interval '1 second' AS "heldUntil"
    FROM before LEFT JOIN acquired ON true`;
  const [row] = acquired.parse(rows);
  if (!row) return null;
  if (!row.order) return { heldUntil: row.heldUntil };
  const lease = keepLease(shop, row.order, holder, startedAt);
  try {
    const order =
      row.isWhole === true ? await toWorkingOrder(shop, row.order) : await readWorkingOrder(shop, orderId);
    if (order) return { lease, order };
  } catch (error) {
    await lease.release(row.order);
    throw error;
  }
  await lease.release(row.order);
  return null;
}

/** Renews the lease until it is released. */
function keepLease(
  shop: string,
  acquired: Pick<WorkingOrder, "orderId" | "salesRecordStatus">,
  holder: string,
  startedAt: number,
): Lease {
  const { orderId } = acquired;
  let renewedAt = startedAt;
  const renew = async (): Promise<void> => {
    const now = performance.now();
    const renewed = await db.$executeRaw`
      UPDATE "Order" SET "leaseExpiresAt" = now() + ${LEASE_MS} * interval '1 millisecond'
      WHERE shop = ${shop} AND "orderId" = ${orderId} AND "leaseHolder" = ${holder} AND "leaseExpiresAt" > now()`;
    if (renewed === 1) renewedAt = now;
  };
  const timer = setInterval(() => {
    // Without a renewal the lease runs out, and `isHeld` says so: nothing else needs doing.
    renew().catch((error: unknown) =>
      log.warn(
        { err: error, shop, orderId },
        "Failed to renew the order's lease; another worker may take over in 15 s",
      ),
    );
  }, RENEW_MS);
  timer.unref();

  return {
    holder,
    isHeld: () => performance.now() - renewedAt < LEASE_MS - MARGIN_MS,
    async release({ revision, salesRecordStatus }) {
      clearInterval(timer);
      const isChanged = salesRecordStatus !== acquired.salesRecordStatus;
      const current = await endLease(shop, orderId, holder, isChanged ? salesRecordStatus : null);
      // The lease was lost, but what the service received is true: it is recorded all the same.
      if (current === null && isChanged) await writeSalesRecordStatus(shop, orderId, salesRecordStatus);
      return current === revision;
    },
  };
}

const released = z.array(z.object({ revision: z.int() })).max(1);

/**
 * @param status the new sales record status; null: as it was
 * @returns the order's revision; null: the lease was lost
 */
async function endLease(
  shop: string,
  orderId: string,
  holder: string,
  status: WorkingOrder["salesRecordStatus"] | null,
): Promise<number | null> {
  const rows = await db.$queryRaw`
    UPDATE "Order" SET "leaseHolder" = NULL, "leaseExpiresAt" = NULL,
      "salesRecordStatus" = COALESCE(${status}, "salesRecordStatus")
    WHERE shop = ${shop} AND "orderId" = ${orderId} AND "leaseHolder" = ${holder}
    RETURNING revision`;
  return released.parse(rows)[0]?.revision ?? null;
}

/** The database's clock: leases and waiting times are never measured by a process's own. */
export async function databaseNow(): Promise<Date> {
  const rows = z.array(z.object({ now: z.coerce.date() })).parse(await db.$queryRaw`SELECT now() AS now`);
  const [row] = rows;
  if (!row) throw new AppError("The database does not return its time");
  return row.now;
}
