/**
 * Requests of the admin's blocks and actions (extensions/staff): they run at an address of the platform's, with the
 * session token of the member of staff who looks.
 */
import { readable } from "#app/shopify/customer-token.server.ts";
import { requireMerchant } from "./guard.server.ts";
import type { MerchantContext } from "./guard.server.ts";

/** @throws Response to a browser's question beforehand (OPTIONS) */
export async function answerStaff(
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
