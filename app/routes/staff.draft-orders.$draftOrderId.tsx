/**
 * A draft order for the blocks of the platform's admin (extensions/staff): GET what can be offered for its lines, POST the
 * plan that its customer agreed to.
 */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { readStaffName } from "#app/audit/staff.server.ts";
import { readSeller, sellerName } from "#app/merchants/seller.ts";
import { answerStaff } from "#app/merchants/staff-request.server.ts";
import { addPlanLine, planSale, readDraftView } from "#app/plans/draft-orders/draft-orders.server.ts";
import { notFound, parseJson } from "#app/platform/form.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  return answerStaff(request, async ({ shop, merchant, actor }) => {
    const draftOrderId = idOf(params["draftOrderId"]);
    const seller = readSeller(await readStaffName(shop, actor, request));
    return { ...(await readDraftView(merchant, draftOrderId)), seller: seller && sellerName(seller) };
  });
}

export async function action({ request, params }: ActionFunctionArgs): Promise<Response> {
  return answerStaff(request, async ({ shop, merchant, actor }) => {
    const draftOrderId = idOf(params["draftOrderId"]);
    const sale = await parseJson(request, planSale);
    // Who sells is what the platform says; what was typed counts where it says nothing.
    const seller = readSeller(await readStaffName(shop, actor, request)) ?? readSeller(sale.seller);
    if (seller === null) return { state: "seller_missing" };
    return addPlanLine(merchant, draftOrderId, sale, { actor, seller });
  });
}

function idOf(text: string | undefined): string {
  if (text === undefined || !/^\d{1,20}$/.test(text)) throw notFound();
  return text;
}
