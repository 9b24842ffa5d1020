/**
 * The link of a quote in the shop's e-mails and on the order's page. It redirects to the insurer's page while the quote
 * is valid. `?stop` records that the customer wants no quotes.
 */
import { redirect } from "@remix-run/node";
import { customerPage, customerRoute } from "#app/customers/customer-document.tsx";
import { QuoteLinkPage } from "#app/quotes/of-orders/link-page.tsx";
import { findSignedQuote, noteOpened, subscriptionPage } from "#app/quotes/of-orders/quote-link.server.ts";
import { suppressCustomerOfQuote } from "#app/quotes/of-orders/suppression.server.ts";
import { customerLanguage, customerPageHeaders } from "#app/platform/customer-page.ts";

const page = (which: "gone" | "stop" | "stopped", request: Request, status = 200) =>
  customerPage(<QuoteLinkPage which={which} language={customerLanguage(request)} />, status);

export const loader = customerRoute(async ({ request, params }) => {
  const quote = await findSignedQuote(params);
  if (!quote) return page("gone", request, 404);
  if (new URL(request.url).searchParams.has("stop")) return page("stop", request);
  const address = await subscriptionPage(quote.shop, quote);
  if (address === null) return page("gone", request, 410);
  // Mail programs send HEAD to check a link, although no person has opened it.
  if (request.method === "GET") await noteOpened(quote.shop, quote);
  return redirect(address, { headers: customerPageHeaders });
});

export const action = customerRoute(async ({ request, params }) => {
  const quote = await findSignedQuote(params);
  if (!quote || request.method !== "POST") return page("gone", request, 404);
  await suppressCustomerOfQuote(quote.shop, quote);
  return page("stopped", request);
});
