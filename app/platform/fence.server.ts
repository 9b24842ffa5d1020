/**
 * Which shops this cell serves (docs/decisions/0054-cells.md). A shop with a fence is served by nobody here: whoever asks
 * for it is answered 503, so that the platform delivers again, to the cell that the proxy names by then.
 */
import { z } from "zod";
import { AppError } from "./app-error.ts";
import { db } from "./db.server.ts";
import { env } from "./env.server.ts";
import { Prisma } from "./prisma/client.ts";

/**
 * `leaving`: nothing new begins, what runs may finish; `closed`: the database takes no more of its rows, they are copied;
 * `moved`: another cell serves it, its rows are still here; `gone`: they are not; `arriving`: they come.
 */
export const fences = ["leaving", "closed", "moved", "gone", "arriving"] as const;
export type Fence = (typeof fences)[number];

/** A job's shop is being moved, or was. */
export class ShopFencedError extends AppError {
  override name = "ShopFencedError";
}

/** The answer to whoever asks for a shop that is not served here now. */
export function notHere(): Response {
  const headers = { "retry-after": "30", "cache-control": "no-store" };
  return Response.json({ error: "This shop is not served here now" }, { status: 503, headers });
}

/** The shops that are not served here, as part of another statement. */
export const fencedShops = Prisma.sql`SELECT f.shop FROM "Merchant" AS f WHERE f.fence IS NOT NULL`;

/** @throws Response 503 */
export async function requireHere(shop: string): Promise<void> {
  const row = await db.merchant.findUnique({ where: { shop }, select: { fence: true } });
  if (row?.fence) throw notHere();
}

/**
 * Whether a webhook of a shop that is unknown to the intake's statement belongs elsewhere: among cells, a shop without a
 * merchant is another cell's. Where there is one cell alone, the shop was erased.
 */
export async function isElsewhere(shop: string): Promise<boolean> {
  if (env.CELL !== undefined) return true;
  const row = await db.merchant.findUnique({ where: { shop }, select: { fence: true } });
  return Boolean(row?.fence);
}

/** Jobs may learn of a fence so much later: what they write by then is refused by the database (app/cells). */
const LOOK_AGAIN_AFTER_MS = 1_000;
const rows = z.array(z.object({ shop: z.string() }));

let known: { at: number; shops: Promise<Set<string>> } | undefined;

/** Whether a job may not run. Costs a statement a second, and where there is one cell alone, none. */
export async function isFenced(shop: string): Promise<boolean> {
  if (env.CELL === undefined) return false;
  if (!known || performance.now() - known.at > LOOK_AGAIN_AFTER_MS) {
    const shops = db
      .$queryRaw(fencedShops)
      .then((found) => new Set(rows.parse(found).map((row) => row.shop)));
    known = { at: performance.now(), shops };
  }
  return (await known.shops).has(shop);
}
