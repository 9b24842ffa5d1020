/**
 * Requests of the admin's blocks and actions (extensions/staff): they run at an address of the platform's, with the
 * session token of the member of staff who looks.
 */
import type { z } from "zod";
import type { Actor } from "#app/audit/actor.ts";
import { notFound, parseJson } from "#app/platform/form.server.ts";
import { readable } from "#app/shopify/customer-token.server.ts";
import { requireMerchant } from "./guard.server.ts";
import type { MerchantContext } from "./guard.server.ts";
import type { Merchant } from "./merchant.ts";
import { readSeller, sellerName } from "./seller.ts";
import type { Seller } from "./seller.ts";

/**
 * What staff see of an order or a draft order, with their own name where the platform says it.
 * @param id as the address has it
 * @throws Response 404 where it is none, and to a browser's question beforehand (OPTIONS)
 */
export async function answerStaffView(
  request: Request,
  id: string | undefined,
  read: (merchant: Merchant, id: string) => Promise<object>,
): Promise<Response> {
  return answerStaff(request, async ({ merchant, member }) => {
    const known = idOf(id);
    const seller = readSeller(member.name);
    return { ...(await read(merchant, known)), seller: seller && sellerName(seller) };
  });
}

/**
 * What staff do with it. Who sells is what the platform says; what was typed counts where it says nothing.
 * @throws Response as `answerStaffView`, and 400 where `schema` does not fit
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
    const known = idOf(id);
    const input = await parseJson(request, schema);
    const seller = readSeller(member.name) ?? readSeller(input.seller);
    return seller === null ? { state: "seller_missing" } : act(merchant, known, input, { actor, seller });
  });
}

function idOf(text: string | undefined): string {
  if (text === undefined || !/^\d{1,20}$/.test(text)) throw notFound();
  return text;
}

async function answerStaff(
  request: Request,
  work: (context: MerchantContext) => Promise<unknown>,
): Promise<Response> {
  // Without a token the library would lead to the page that fetches one; an extension has to send it.
  if (request.method !== "OPTIONS" && !request.headers.has("authorization")) return readable(refused(401));
  try {
    const body = await work(await requireMerchant(request));
    return readable(Response.json(body, { headers: { "cache-control": "no-store" } }));
  } catch (thrown) {
    // Also the answer of `requireMerchant` to OPTIONS.
    if (thrown instanceof Response) throw readable(thrown);
    throw thrown;
  }
}

const refused = (status: number) =>
  Response.json({ error: "Only the shop's staff are answered" }, { status });
