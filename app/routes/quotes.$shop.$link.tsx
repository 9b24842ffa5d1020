/**
 * The link of a quote, as customers have it from the shop's e-mails and the order's page: it leads to the insurer's page
 * while the quote may be used. With `?stop`, the customer says that they want no quotes.
 */
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { type LinkPage, linkPage } from "#app/leads/order-leads/link-page.ts";
import { findSignedLead, noteOpened, subscriptionPage } from "#app/leads/order-leads/quote-link.server.ts";
import { suppressCustomerOfLead } from "#app/leads/order-leads/suppression.server.ts";
import { customerLocale, customerPage, customerPageHeaders } from "#app/platform/customer-page.ts";

const page = (which: LinkPage, request: Request, status = 200) =>
  customerPage(linkPage(which, customerLocale(request)), status);

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const lead = await findSignedLead(params, customerLocale(request));
  if (!lead) return page("gone", request, 404);
  if (new URL(request.url).searchParams.has("stop")) return page("stop", request);
  const address = await subscriptionPage(lead.shop, lead);
  if (address === null) return page("gone", request, 410);
  // Mail programs look whether there is something, without anybody having opened it.
  if (request.method === "GET") await noteOpened(lead.shop, lead);
  return redirect(address, { headers: customerPageHeaders });
}

export async function action({ request, params }: ActionFunctionArgs): Promise<Response> {
  const lead = await findSignedLead(params, customerLocale(request));
  if (!lead || request.method !== "POST") return page("gone", request, 404);
  await suppressCustomerOfLead(lead.shop, lead);
  return page("stopped", request);
}
