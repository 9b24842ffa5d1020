/**
 * The customer of a draft order, for example of a sale by phone, reads prices and documents here and confirms the
 * insurance. Staff send the link. Only the confirmation adds the plan to the draft order.
 */
import { redirect } from "@remix-run/node";
import { customerPage, customerRoute } from "#app/customers/customer-document.tsx";
import { type DraftLink, readDraftLink } from "#app/customers/customer-links.server.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { addPlanLine, planChoice, readSaleView } from "#app/draft-orders/draft-orders.server.ts";
import { type NoSale, NoSalePage, type SaleAlert, SalePage } from "#app/draft-orders/sale-page.tsx";
import { hasDeclined } from "#app/offers/offer-box.tsx";
import { linkConsent } from "#app/draft-orders/sale-words.ts";
import { readSmallForm } from "#app/platform/body.server.ts";
import { customerLanguage, customerPageHeaders } from "#app/platform/customer-page.ts";
import type { Language } from "#app/platform/locale.ts";

/** @throws Response if the link is not valid */
async function openLink(
  params: { shop?: string; link?: string },
  language: Language,
): Promise<{ merchant: Merchant; link: DraftLink }> {
  const link = await readDraftLink(params);
  const merchant = link && (await findMerchant(link.shop));
  if (link === null || merchant?.uninstalledAt !== null) throw noSalePage("gone", language, 404);
  if (link.isExpired) throw noSalePage("expired", language, 410);
  return { merchant, link };
}

export const loader = customerRoute(async ({ request, params }) => {
  const language = customerLanguage(request);
  const { merchant, link } = await openLink(params, language);
  return pageOf(merchant, link, language, { isDeclined: hasDeclined(request) });
});

const noSalePage = (why: NoSale, language: Language, status: number) =>
  customerPage(<NoSalePage why={why} language={language} />, status);

async function pageOf(
  merchant: Merchant,
  link: DraftLink,
  language: Language,
  { alert, isDeclined = false }: { alert?: SaleAlert; isDeclined?: boolean } = {},
): Promise<Response> {
  const view = await readSaleView(merchant, link, language);
  if (view.state === "ready")
    return customerPage(
      <SalePage view={view} language={language} alert={alert} isDeclined={isDeclined} />,
      alert === undefined ? 200 : 409,
    );
  return view.state === "not_found"
    ? noSalePage("gone", language, 404)
    : noSalePage("unavailable", language, 503);
}

export const action = customerRoute(async ({ request, params }) => {
  const language = customerLanguage(request);
  const { merchant, link } = await openLink(params, language);
  if (request.method !== "POST") return pageOf(merchant, link, language);
  const form = await readSmallForm(request);
  const chosen = planChoice.safeParse(form && Object.fromEntries(form));
  if (!chosen.success) return pageOf(merchant, link, language, { alert: "choose" });
  const result = await addPlanLine(merchant, link.draftOrderId, chosen.data, (terms) =>
    linkConsent(language, terms),
  );
  switch (result.state) {
    case "added":
    case "insured":
      // Redirects after the POST, so that a reload sends nothing.
      return redirect(`?language=${language}`, { status: 303, headers: customerPageHeaders });
    case "changed":
    case "busy":
    case "refused":
      return pageOf(merchant, link, language, { alert: result.state });
    case "would_be_task":
      return pageOf(merchant, link, language, { alert: "refused" });
    case "problem":
      return pageOf(merchant, link, language);
    case "not_found":
      return noSalePage("gone", language, 404);
    case "off":
    case "no_permission":
    case "no_access":
    case "unavailable":
      return noSalePage("unavailable", language, 503);
  }
});
