/**
 * The link of a quote, as customers have it from the shop's e-mails and the order's page: it leads to the insurer's page
 * while the quote may be used. With `?stop`, the customer says that they want no quotes.
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
  // Mail programs look whether there is something, without anybody having opened it.
  if (request.method === "GET") await noteOpened(quote.shop, quote);
  return redirect(address, { headers: customerPageHeaders });
});

export const action = customerRoute(async ({ request, params }) => {
  const quote = await findSignedQuote(params);
  if (!quote || request.method !== "POST") return page("gone", request, 404);
  await suppressCustomerOfQuote(quote.shop, quote);
  return page("stopped", request);
});
