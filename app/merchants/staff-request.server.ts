/**
 * Handles requests of the admin's blocks and actions (extensions/staff). These run on an origin of Shopify, with the
 * session token of the staff member.
 */
import { z } from "zod";
import type { Actor } from "#app/audit/actor.ts";
import { notFound, parseJson } from "#app/platform/form.server.ts";
import { readable } from "#app/shopify/customer-token.server.ts";
import { requireMerchant } from "./guard.server.ts";
import type { MerchantContext } from "./guard.server.ts";
import { takeStaffLock } from "./merchant.server.ts";
import { readSeller, sellerName } from "./merchant.ts";
import type { Merchant, Seller } from "./merchant.ts";
import { setTimeout as wait } from "node:timers/promises";
import { db } from "#app/platform/db.server.ts";

/**
 * Answers with the view of an order or a draft order, and the staff member's name if Shopify sends it.
 * @param id from the URL
 * @throws Response 404 if it is no id, and the answer to a browser's preflight request (OPTIONS)
 */
export async function answerStaffView(
  request: Request,
  id: string | undefined,
  read: (merchant: Merchant, id: string) => Promise<object>,
): Promise<Response> {
  return answerStaff(request, async ({ merchant, member }) => {
    const objectId = idOf(id);
    const seller = readSeller(member.name);
    return { ...(await read(merchant, objectId)), seller: seller && sellerName(seller) };
  });
}

/**
 * Runs a sale by a staff member. The seller's name comes from Shopify; the typed name counts only if Shopify sends
 * none.
 * @throws Response like `answerStaffView`, and 400 if `schema` does not match
 */
export async function answerStaffSale<Input extends { seller: string | null }>(
  request: Request,
  id: string | undefined,
  schema: z.ZodType<Input>,
  act: (
    merchant: Merchant,
    id: string,
    input: Input,
    by: { actor: Actor; seller: Seller },
  ) => Promise<object>,
): Promise<Response> {
  return answerStaff(request, async ({ merchant, actor, member }) => {
    const objectId = idOf(id);
    const input = await parseJson(request, schema);
    const seller = readSeller(member.name) ?? readSeller(input.seller);
    return seller === null ? { state: "seller_missing" } : act(merchant, objectId, input, { actor, seller });
  });
}

/** Runs an action that needs no seller's name. @throws Response like `answerStaffSale` */
export async function answerStaffAct<Input>(
  request: Request,
  id: string | undefined,
  schema: z.ZodType<Input>,
  act: (merchant: Merchant, id: string, input: Input, actor: Actor) => Promise<object>,
): Promise<Response> {
  return answerStaff(request, async ({ merchant, actor }) =>
    act(merchant, idOf(id), await parseJson(request, schema), actor),
  );
}

function idOf(text: string | undefined): string {
  if (text === undefined || !/^\d{1,20}$/.test(text)) throw notFound();
  return text;
}

async function answerStaff(
  request: Request,
  work: (context: MerchantContext) => Promise<unknown>,
): Promise<Response> {
  // Without a token the library would redirect to the page that fetches one, but an extension has to send it.
  if (request.method !== "OPTIONS" && !request.headers.has("authorization")) return readable(refused(401));
  try {
    const body = await work(await requireMerchant(request));
    return readable(Response.json(body, { headers: { "cache-control": "no-store" } }));
  } catch (thrown) {
    // This includes the answer of `requireMerchant` to OPTIONS.
    if (thrown instanceof Response) throw readable(thrown);
    throw thrown;
  }
}

const refused = (status: number) =>
  Response.json({ error: "Only the shop's staff are answered" }, { status });

// Serialises a shop's staff in the admin's blocks and in turning the checkout rule on or off. Shopify replaces a
// draft order's lines as a whole and has no version of them: concurrent writes would undo each other. Concurrent
// requests for one quote or rule would create two.

/** Longer than any work under the lock. The lock expires if a process dies. */
const LOCK_SECONDS = 60;
const PAUSE_MS = 250;
const PAUSES = 24;

/** @returns null if other requests hold the lock for seconds */
export async function withStaffLock<T>(shop: string, work: () => Promise<T>): Promise<T | null> {
  for (let pauses = 0; ; pauses++) {
    const until = await takeStaffLock(shop, LOCK_SECONDS);
    if (until === null) {
      if (pauses === PAUSES) return null;
      await wait(PAUSE_MS);
      continue;
    }
    try {
      return await work();
    } finally {
      await db.merchant.updateMany({
        where: { shop, staffLockedUntil: until },
        data: { staffLockedUntil: null },
      });
    }
  }
}
