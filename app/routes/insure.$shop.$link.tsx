/**
 * Customers, also guests, insure uninsured purchases here. The order's page, the customer account and mails link to it.
 * The page works without script: a choice becomes a quote, and the quote's own link leads to the insurer.
 */
import { redirect } from "@remix-run/node";
import { customerPage, customerRoute } from "#app/customers/customer-document.tsx";
import { readInsureLink } from "#app/customers/customer-links.server.ts";
import {
  awaitChosenQuote,
  insureChoice,
  makeChosenQuote,
  readInsureView,
} from "#app/quotes/of-orders/insure-now.server.ts";
import { type InsureAlert, InsurePage } from "#app/quotes/of-orders/insure-page.tsx";
import { hasDeclined } from "#app/offers/offer-box.tsx";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { readSmallForm } from "#app/platform/body.server.ts";
import { customerLanguage, customerPageHeaders } from "#app/platform/customer-page.ts";
import type { Language } from "#app/platform/locale.ts";

export const loader = customerRoute(async ({ request, params }) => {
  const language = customerLanguage(request);
  const link = await readInsureLink(params);
  return link ? pageOf(link, language, null, hasDeclined(request)) : gonePage(language);
});

const gonePage = (language: Language) =>
  customerPage(<InsurePage view={{ state: "gone" }} language={language} />, 404);

const statuses = {
  ready: 200,
  gone: 404,
  pending: 404,
  late: 410,
  unavailable: 503,
  customer_missing: 200,
  not_sold: 200,
} as const;

async function pageOf(
  { shop, orderId }: { shop: string; orderId: string },
  language: Language,
  alert: { text: InsureAlert; status: number } | null = null,
  isDeclined = false,
): Promise<Response> {
  const view = await readInsureView(shop, orderId, language);
  return customerPage(
    <InsurePage view={view} language={language} alert={alert?.text} isDeclined={isDeclined} />,
    alert?.status ?? statuses[view.state],
  );
}

export const action = customerRoute(async ({ request, params }) => {
  const language = customerLanguage(request);
  const link = await readInsureLink(params);
  if (!link || request.method !== "POST") return gonePage(language);
  const { shop, orderId, touchpoint } = link;
  const form = await readSmallForm(request);
  const chosen = insureChoice.safeParse({ item: form?.get("item"), category: form?.get("category") });
  const [merchant, view] = await Promise.all([findMerchant(shop), readInsureView(shop, orderId, language)]);
  if (!merchant || view.state !== "ready") return pageOf(link, language);
  if (!chosen.success) return pageOf(link, language, { text: "choose", status: 400 });
  const { item, category } = chosen.data;
  // The page lists one item of each line: all items of a line have its formulas.
  const listed = view.items.find(({ key }) => key.startsWith(`${item.lineId}-`));
  if (listed && !listed.formulas.some(({ categoryId }) => categoryId === category))
    return pageOf(link, language, { text: "choose", status: 400 });
  // An unlisted line gets no quote. It may be a double click, which shows the quote of the first click.
  const result = listed
    ? await makeChosenQuote(merchant, orderId, chosen.data, touchpoint)
    : await awaitChosenQuote(shop, orderId, item);
  switch (result.state) {
    case "quoted":
    case "stands":
    case "unknown":
      // Redirects after the POST, so that a reload sends nothing.
      return redirect(`?language=${language}`, { status: 303, headers: customerPageHeaders });
    case "refused":
      return pageOf(link, language, { text: "refused", status: 200 });
    case "busy":
    case "insurer_unavailable":
    case "no_access":
    case "unavailable":
      return pageOf(link, language, { text: "unavailable", status: 503 });
    case "problem":
    case "not_found":
      return pageOf(link, language);
  }
});
