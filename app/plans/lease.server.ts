/**
 * One worker at a time works on an order with the service. The claim is a lease in the order's row, on the database's
 * clock, renewed while the work goes on: a killed worker's lease ends by itself, and one that was stopped and
 * resumed knows that its own has ended before it sends anything.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** Time between the check and the first byte at the service, amply. */
const MARGIN_MS = 3_000;

/** The claim on the order ended before the work did: another worker has it, or its job brings it back. */
export class LeaseLostError extends Error {
  override name = "LeaseLostError";
}

export interface Lease {
  by: string;
  /** false once somebody else may have taken over; by the monotonic clock, which a stopped process cannot miss */
  holds(): boolean;
  /**
   * Ends the lease, unless the order has facts that the holder has not seen.
   * @returns false: look at the order again
   */
  release(factsSeen: number): Promise<boolean>;
  /** Ends the lease whatever happened meanwhile: the work failed and its job will be back. */
  abandon(): Promise<void>;
}

/** Claims an order. Null: somebody else works on it (and will see every fact that is stored by now). */
export async function takeLease(shop: string, orderId: string): Promise<Lease | null> {
  const by = randomUUID();
  let renewedAt = performance.now();
  const taken = await db.$executeRaw`
    UPDATE "Order" SET "leaseBy" = ${by}, "leaseUntil" = now() + ${LEASE_MS} * interval '1 millisecond'
    WHERE shop = ${shop} AND "orderId" = ${orderId} AND ("leaseUntil" IS NULL OR "leaseUntil" < now())`;
  if (taken === 0) return null;

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

  return {
    by,
    holds: () => performance.now() - renewedAt < LEASE_MS - MARGIN_MS,
    async release(factsSeen) {
      clearInterval(timer);
      const released = await db.$executeRaw`
        UPDATE "Order" SET "leaseBy" = NULL, "leaseUntil" = NULL
        WHERE shop = ${shop} AND "orderId" = ${orderId} AND "leaseBy" = ${by} AND facts = ${factsSeen}`;
      if (released === 1) return true;
      // New facts came, or the lease was lost: either way the next claim decides.
      await end(shop, orderId, by);
      return false;
    },
    async abandon() {
      clearInterval(timer);
      await end(shop, orderId, by);
    },
  };
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
