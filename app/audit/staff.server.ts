/** The members of a shop's staff who have used the app, with their names where the platform gives them. */
import { LRUCache } from "lru-cache";
import type { Actor } from "./actor.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { fetchStaffName } from "#app/shopify/staff.server.ts";

const DAY_MS = 24 * 3_600_000;
/** A stored name is refreshed after this long: names change. */
const FRESH_MS = 30 * DAY_MS;

interface Visit {
  shop: string;
  staffId: string;
  request: Request;
}

/** Whom this process has noted lately, so that a request costs nothing; a failure is not remembered. */
const noted = new LRUCache<string, true, Visit>({
  max: 10_000,
  ttl: DAY_MS,
  fetchMethod: async (_key, _stale, { context }): Promise<true> => {
    await saveStaff(context);
    return true;
  },
});

/**
 * Records who uses the app. The request does not wait for it. The platform is queried for the name every thirty days,
 * and daily while it returns none.
 */
export function noteStaff(visit: Visit): void {
  const { shop, staffId } = visit;
  noted.fetch(`${shop}:${staffId}`, { context: visit }).catch((error: unknown) => {
    log.warn({ err: error, shop }, "Failed to record a member of staff; the next request tries again");
  });
}

/**
 * The name of the member of staff who sent the request, as the platform gives it; null where it gives none. Waits for
 * the platform only at this person's first request.
 */
export async function readStaffName(shop: string, actor: Actor, request: Request): Promise<string | null> {
  if (actor.kind !== "staff") return null;
  const staffId = actor.id;
  await noted.fetch(`${shop}:${staffId}`, { context: { shop, staffId, request } });
  const known = await db.staffMember.findUnique({ where: { shop_staffId: { shop, staffId } } });
  return known?.name ?? null;
}

async function saveStaff({ shop, staffId, request }: Visit): Promise<void> {
  const where = { shop_staffId: { shop, staffId } };
  const known = await db.staffMember.findUnique({ where });
  if (known && known.name !== null && known.askedAt.getTime() > Date.now() - FRESH_MS) return;
  const token = sessionTokenOf(request);
  const name = token === null ? null : await fetchStaffName(shop, staffId, token);
  const row = { name: name ?? known?.name ?? null, askedAt: new Date() };
  await db.staffMember.upsert({ where, create: { shop, staffId, ...row }, update: row });
}

function sessionTokenOf(request: Request): string | null {
  const [scheme, token] = request.headers.get("authorization")?.split(" ") ?? [];
  return scheme === "Bearer" && token !== undefined
    ? token
    : new URL(request.url).searchParams.get("id_token");
}
