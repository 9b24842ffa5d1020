/**
 * One worker at a time works on an order with the service. The claim is a lease in the order's row, on the database's
 * clock, renewed while the work goes on: a killed worker's lease ends by itself, and one that was stopped and
 * resumed knows that its own has ended before it sends anything.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { workingOrder, workingOrderColumns, writeRecord } from "./working-order.server.ts";
import type { WorkingOrder } from "./working-order.server.ts";

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** Time between the check and the first byte at the service, amply. */
const MARGIN_MS = 3_000;

export interface Lease {
  by: string;
  /** false once somebody else may have taken over; by the monotonic clock, which a stopped process cannot miss */
  holds(): boolean;
  /**
   * Ends the lease.
   * @param record what the service knows of the order now, where that is to be noted with it
   * @returns false where the order has facts that the holder has not seen, or the lease was lost: look at it again
   */
  release(factsSeen: number, record?: WorkingOrder["record"]): Promise<boolean>;
  /** Ends the lease whatever happened meanwhile: the work failed and its job will be back. */
  abandon(): Promise<void>;
}

const claimed = z
  .array(
    z.object({
      order: workingOrder.nullable(),
      /** false: the order changed while the claim waited for it, and its units are as they were before that */
      isWhole: z.boolean().nullable(),
      freeAt: z.coerce.date(),
    }),
  )
  .max(1);
const released = z.array(z.object({ facts: z.int() })).max(1);

/**
 * What came of a claim. The order is null where it changed while the claim waited for it: it has to be read by itself.
 * Where somebody else works on it, that one sees every fact that is stored by now, unless it is dead: then its claim
 * ends at `freeAt`.
 */
export type Claim = { lease: Lease; order: WorkingOrder | null } | { freeAt: Date };

/** Claims an order and reads it with its units. Null: there is none. */
export async function takeLease(shop: string, orderId: string): Promise<Claim | null> {
  const by = randomUUID();
  let renewedAt = performance.now();
  const rows = await db.$queryRaw`
    WITH before AS (
      SELECT facts, "leaseUntil" FROM "Order" WHERE shop = ${shop} AND "orderId" = ${orderId}
    ), claimed AS (
      UPDATE "Order" AS o SET "leaseBy" = ${by}, "leaseUntil" = now() + ${LEASE_MS} * interval '1 millisecond'
      WHERE o.shop = ${shop} AND o."orderId" = ${orderId} AND (o."leaseUntil" IS NULL OR o."leaseUntil" < now())
      RETURNING ${workingOrderColumns}
    )
    SELECT to_jsonb(claimed) AS "order", claimed.facts = before.facts AS "isWhole",
      GREATEST(before."leaseUntil", now()) + interval '1 second' AS "freeAt"
    FROM before LEFT JOIN claimed ON true`;
  const [row] = claimed.parse(rows);
  if (!row) return null;
  if (!row.order) return { freeAt: row.freeAt };

  const renew = async (): Promise<void> => {
    const now = performance.now();
    const renewed = await db.$executeRaw`
      UPDATE "Order" SET "leaseUntil" = now() + ${LEASE_MS} * interval '1 millisecond'
      WHERE shop = ${shop} AND "orderId" = ${orderId} AND "leaseBy" = ${by} AND "leaseUntil" > now()`;
    if (renewed === 1) renewedAt = now;
  };
  const timer = setInterval(() => {
    // Without a renewal the lease runs out, and `holds` says so: nothing else needs doing.
    renew().catch((error: unknown) => log.warn({ err: error, shop, orderId }, "lease not renewed"));
  }, RENEW_MS);
  timer.unref();

  const lease: Lease = {
    by,
    holds: () => performance.now() - renewedAt < LEASE_MS - MARGIN_MS,
    async release(factsSeen, record) {
      clearInterval(timer);
      const rows = await db.$queryRaw`
        UPDATE "Order" SET "leaseBy" = NULL, "leaseUntil" = NULL, record = COALESCE(${record ?? null}, record)
        WHERE shop = ${shop} AND "orderId" = ${orderId} AND "leaseBy" = ${by}
        RETURNING facts`;
      const [row] = released.parse(rows);
      // The lease was lost; what the service was told is true all the same.
      if (!row && record !== undefined) await writeRecord(shop, orderId, record);
      return row?.facts === factsSeen;
    },
    async abandon() {
      clearInterval(timer);
      await end(shop, orderId, by);
    },
  };
  return { lease, order: row.isWhole ? row.order : null };
}

async function end(shop: string, orderId: string, by: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "Order" SET "leaseBy" = NULL, "leaseUntil" = NULL
    WHERE shop = ${shop} AND "orderId" = ${orderId} AND "leaseBy" = ${by}`;
}

/** The database's clock: leases and waiting times are never measured by a process's own. */
export async function databaseNow(): Promise<Date> {
  const rows = z.array(z.object({ now: z.coerce.date() })).parse(await db.$queryRaw`SELECT now() AS now`);
  const [row] = rows;
  if (!row) throw new Error("The database does not tell its time");
  return row.now;
}
