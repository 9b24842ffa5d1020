/**
 * A draft order for the blocks of Shopify's admin (extensions/staff). GET returns its offers and the link for its
 * customer; POST mails the link.
 */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { answerStaffAct, answerStaffView } from "#app/merchants/staff-request.server.ts";
import { mailDraftLink, mailRequest, readDraftView } from "#app/draft-orders/draft-orders.server.ts";
import { customerLanguage } from "#app/platform/customer-page.ts";

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  return answerStaffView(request, params["draftOrderId"], (merchant, id) =>
    readDraftView(merchant, id, customerLanguage(request)),
  );
}

export async function action({ request, params }: ActionFunctionArgs): Promise<Response> {
  return answerStaffAct(request, params["draftOrderId"], mailRequest, mailDraftLink);
}
