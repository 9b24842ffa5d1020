/** A draft order for the blocks of the platform's admin (extensions/staff): its offers, and the link for its customer. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { answerStaffView } from "#app/merchants/staff-request.server.ts";
import { readDraftView } from "#app/plans/draft-orders/draft-orders.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  return answerStaffView(request, params["draftOrderId"], readDraftView);
}
