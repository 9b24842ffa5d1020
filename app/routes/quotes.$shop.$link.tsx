/**
 * The link of a quote, as customers have it from the shop's e-mails and the order's page: it leads to the insurer's page
 * while the quote may be used. With `?stop`, the customer says that they want no quotes.
 */
import { redirect } from "@remix-run/node";
import { customerPage, customerRoute } from "#app/customers/customer-document.tsx";
import { QuoteLinkPage } from "#app/quotes/of-orders/link-page.tsx";
import { findSignedLead, noteOpened, subscriptionPage } from "#app/quotes/of-orders/quote-link.server.ts";
import { suppressCustomerOfLead } from "#app/quotes/of-orders/suppression.server.ts";
import { customerLanguage, customerPageHeaders } from "#app/platform/customer-page.ts";

const page = (which: "gone" | "stop" | "stopped", request: Request, status = 200) =>
  customerPage(<QuoteLinkPage which={which} language={customerLanguage(request)} />, status);

export const loader = customerRoute(async ({ request, params }) => {
  const lead = await findSignedLead(params);
  if (!lead) return page("gone", request, 404);
  if (new URL(request.url).searchParams.has("stop")) return page("stop", request);
  const address = await subscriptionPage(lead.shop, lead);
  if (address === null) return page("gone", request, 410);
  // Mail programs look whether there is something, without anybody having opened it.
  if (request.method === "GET") await noteOpened(lead.shop, lead);
  return redirect(address, { headers: customerPageHeaders });
});

export const action = customerRoute(async ({ request, params }) => {
  const lead = await findSignedLead(params);
  if (!lead || request.method !== "POST") return page("gone", request, 404);
  await suppressCustomerOfLead(lead.shop, lead);
  return page("stopped", request);
});
