/**
 * Serialises a shop's staff in the admin's blocks and in turning the checkout rule on or off. The platform replaces a
 * draft order's lines as a whole and has no version of them: concurrent writes would undo each other. Concurrent
 * requests for one quote or rule would create two.
 */
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";

/** Longer than anything that is done with it: it ends by itself where a process has died. */
const LOCK_SECONDS = 60;
const PAUSE_MS = 250;
const PAUSES = 24;

const locked = z.array(z.object({ until: z.coerce.date() })).max(1);

/** @returns null where others hold the lock for seconds */
export async function withStaffLock<T>(shop: string, work: () => Promise<T>): Promise<T | null> {
  for (let pauses = 0; ; pauses++) {
    const [lock] = locked.parse(
      await db.$queryRaw`
        UPDATE "Merchant" SET "staffLockedUntil" = now() + ${LOCK_SECONDS} * interval '1 second'
        WHERE shop = ${shop} AND ("staffLockedUntil" IS NULL OR "staffLockedUntil" < now())
        RETURNING "staffLockedUntil" AS until`,
    );
    if (!lock) {
      if (pauses === PAUSES) return null;
      await wait(PAUSE_MS);
      continue;
    }
    try {
      return await work();
    } finally {
      await db.merchant.updateMany({
        where: { shop, staffLockedUntil: lock.until },
        data: { staffLockedUntil: null },
      });
    }
  }
}
