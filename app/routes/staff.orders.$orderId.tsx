/**
 * An order for the blocks of the platform's admin (extensions/staff): GET what insures its pieces and which can get a quote,
 * POST the quote of one piece.
 */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { readStaffName } from "#app/audit/staff.server.ts";
import { makeStaffQuote, quoteWish, readOrderQuotes } from "#app/leads/order-leads/staff-quotes.server.ts";
import { readSeller, sellerName } from "#app/merchants/seller.ts";
import { answerStaff } from "#app/merchants/staff-request.server.ts";
import { notFound, parseJson } from "#app/platform/form.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  return answerStaff(request, async ({ shop, merchant, actor }) => {
    const orderId = idOf(params["orderId"]);
    const seller = readSeller(await readStaffName(shop, actor, request));
    return { ...(await readOrderQuotes(merchant, orderId)), seller: seller && sellerName(seller) };
  });
}

export async function action({ request, params }: ActionFunctionArgs): Promise<Response> {
  return answerStaff(request, async ({ shop, merchant, actor }) => {
    const orderId = idOf(params["orderId"]);
    const wish = await parseJson(request, quoteWish);
    // Who sells is what the platform says; what was typed counts where it says nothing.
    const seller = readSeller(await readStaffName(shop, actor, request)) ?? readSeller(wish.seller);
    if (seller === null) return { state: "seller_missing" };
    return makeStaffQuote(merchant, orderId, wish, { actor, seller });
  });
}

function idOf(text: string | undefined): string {
  if (text === undefined || !/^\d{1,20}$/.test(text)) throw notFound();
  return text;
}
