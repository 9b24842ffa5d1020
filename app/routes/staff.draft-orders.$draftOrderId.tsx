/**
 * A draft order for the blocks of the platform's admin (extensions/staff): GET what can be offered for its lines, POST the
 * plan that its customer agreed to.
 */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { answerStaffSale, answerStaffView } from "#app/merchants/staff-request.server.ts";
import { addPlanLine, planSale, readDraftView } from "#app/plans/draft-orders/draft-orders.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  return answerStaffView(request, params["draftOrderId"], readDraftView);
}

export async function action({ request, params }: ActionFunctionArgs): Promise<Response> {
  return answerStaffSale(request, params["draftOrderId"], planSale, addPlanLine);
}
