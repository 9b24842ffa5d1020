/** The staff members who have used the app, with their names and permissions from Shopify. */
import { LRUCache } from "lru-cache";
import type { StaffMember as StoredStaff } from "#app/platform/prisma/client.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { fetchStaff } from "#app/shopify/staff.server.ts";

const HOUR_MS = 3_600_000;
/** The app queries Shopify again after this time, because permissions change. */
const FRESH_MS = HOUR_MS;
/** If Shopify does not answer, its last answer is valid for this time. */
const VALID_MS = 24 * HOUR_MS;
/** Interval between queries while Shopify does not answer: a page waits for each of them. */
const UNANSWERED_MS = 60_000;
/** How long a page waits for Shopify: longer for an unknown person, who cannot do anything before the answer. */
const TIMEOUT_MS = { known: 2_000, unknown: 10_000 };

interface Visit {
  shop: string;
  staffId: string;
  /** the app's current scopes; for scopes newer than the last answer, this person's permission is unknown */
  appScopes: readonly string[];
  request: Request;
}

export interface StaffMember {
  /** null: Shopify has never sent it */
  name: string | null;
  isOwner: boolean;
  /** the app's scopes that this person also has; null: unknown, or too long ago */
  scopes: string[] | null;
}

/** The staff members that this process has seen recently: a request then costs no query. */
const members = new LRUCache<string, StaffMember, Visit>({
  max: 10_000,
  ttl: FRESH_MS,
  fetchMethod: async (key, _stale, { context, options }): Promise<StaffMember> => {
    const { member, isFresh } = await findMember(key, context);
    if (!isFresh) options.ttl = UNANSWERED_MS;
    return member;
  },
});

/**
 * The staff member who sends the request. It waits for Shopify at most once an hour, or once a minute if Shopify does
 * not answer.
 */
export async function readStaff(visit: Visit): Promise<StaffMember> {
  const key = [visit.shop, visit.staffId, ...visit.appScopes].join(":");
  const member = await members.fetch(key, { context: visit });
  return member ?? { name: null, isOwner: false, scopes: null };
}

async function findMember(key: string, visit: Visit): Promise<{ member: StaffMember; isFresh: boolean }> {
  const { shop, staffId, request } = visit;
  const appScopes = visit.appScopes.join(",");
  const stored = await db.staffMember.findUnique({ where: { shop_staffId: { shop, staffId } } });
  if (stored?.appScopes === appScopes && isWithin(FRESH_MS, stored))
    return { member: memberOf(stored), isFresh: true };
  const token = sessionTokenOf(request);
  const knownMember = stored && isWithin(VALID_MS, stored) ? memberOf(stored) : null;
  const timeoutMs = knownMember ? TIMEOUT_MS.known : TIMEOUT_MS.unknown;
  const fetched = token === null ? null : await fetchStaff(shop, staffId, token, timeoutMs);
  const row =
    fetched === null
      ? { name: stored?.name ?? null }
      : { ...fetched, scopes: fetched.scopes.join(","), appScopes, answeredAt: new Date() };
  // The page does not wait for this write.
  saveStaff(visit, row).catch((error: unknown) => {
    members.delete(key);
    log.warn({ err: error, shop }, "Failed to record a member of staff; the next request retries");
  });
  if (fetched !== null) return { member: fetched, isFresh: true };
  return { member: knownMember ?? { name: row.name, isOwner: false, scopes: null }, isFresh: false };
}

const isWithin = (ms: number, { answeredAt }: StoredStaff): boolean =>
  answeredAt !== null && answeredAt.getTime() > Date.now() - ms;

const memberOf = ({ name, isOwner, scopes }: StoredStaff): StaffMember => ({
  name,
  isOwner,
  scopes: scopes.split(","),
});

async function saveStaff(
  { shop, staffId }: Visit,
  row: Partial<Pick<StoredStaff, "name" | "isOwner" | "scopes" | "appScopes" | "answeredAt">>,
): Promise<void> {
  const where = { shop_staffId: { shop, staffId } };
  await db.staffMember.upsert({ where, create: { shop, staffId, ...row }, update: row });
}

function sessionTokenOf(request: Request): string | null {
  const [scheme, token] = request.headers.get("authorization")?.split(" ") ?? [];
  return scheme === "Bearer" && token !== undefined
    ? token
    : new URL(request.url).searchParams.get("id_token");
}
