/**
 * An order for the blocks of Shopify's admin (extensions/staff). GET returns the insurance of its items and which can
 * get a quote; POST creates the quote of one item.
 */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { makeStaffQuote, quoteRequest, readOrderQuotes } from "#app/quotes/of-orders/staff-quotes.server.ts";
import { answerStaffSale, answerStaffView } from "#app/merchants/staff-request.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  return answerStaffView(request, params["orderId"], readOrderQuotes);
}

export async function action({ request, params }: ActionFunctionArgs): Promise<Response> {
  return answerStaffSale(request, params["orderId"], quoteRequest, makeStaffQuote);
}
