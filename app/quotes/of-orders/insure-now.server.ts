/**
 * What customers bought without insurance they insure themselves, while the merchant's days last: by a signed link to
 * their order's page of uninsured items, which makes the quote that they choose. They ask for it, so no consent to
 * marketing is needed.
 */
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { system } from "#app/audit/actor.ts";
import { isLink } from "#app/platform/web-address.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { readInsureDays } from "#app/merchants/quote-settings.server.ts";
import { readOfferAbout } from "#app/offers/offer-about.server.ts";
import { legalTexts, offerCovers } from "#app/offers/offer-covers.ts";
import { findOffersAtPrices, type PricedOffers } from "#app/offers/offers.server.ts";
import { type NameFormula, namesOfCategories, shownFormula } from "#app/offers/offers-response.ts";
import { readStorefrontSettings } from "#app/offers/storefront-settings.server.ts";
import { formulaName, type StorefrontSettings } from "#app/offers/storefront-settings.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { db } from "#app/platform/db.server.ts";
import type { Language } from "#app/platform/locale.ts";
import type { Touchpoint } from "#app/shopify/touchpoints.ts";
import type { InsurableItem, InsureFormula, InsureView, NoInsureView } from "./insure-page.tsx";
import {
  makeQuote,
  type MakeQuoteResult,
  type QuoteProblem,
  readOrder,
  readStanding,
} from "./staff-quotes.server.ts";

const DAY_MS = 24 * 3_600_000;

export async function readInsureView(
  shop: string,
  orderId: string,
  language: Language,
): Promise<InsureView | NoInsureView> {
  const merchant = await findMerchant(shop);
  if (merchant?.uninstalledAt !== null) return { state: "gone" };
  const [insureDays, order] = await Promise.all([readInsureDays(shop), readOrder(shop, orderId)]);
  if ("state" in order) return { state: order.state === "not_found" ? "gone" : "unavailable" };
  const until = toLocalDay(merchant.timezone, new Date(order.createdAt.getTime() + insureDays * DAY_MS));
  if (insureDays === 0 || toLocalDay(merchant.timezone, new Date()) > until) return { state: "late" };
  const { problem, environment, lines, unquoted: items } = await readStanding(shop, order);
  const state = problem === null ? null : stateOfProblem(problem);
  if (state !== null) return { state };
  // Of a line with several items the next one: each is insured by itself.
  const next = lines.flatMap((line) => items.find(({ lineId }) => lineId === line.lineId) ?? []);
  const inCurrency = next.filter(({ currency }) => currency === merchant.currency);
  const offers = await findOffersAtPrices(merchant, inCurrency);
  const settings = await readStorefrontSettings(shop);
  return {
    state: "ready",
    shop,
    shopName: merchant.name === "" ? shop : merchant.name,
    orderName: order.name,
    isTest: environment === "test",
    currency: merchant.currency,
    until,
    about: await readOfferAbout(merchant, settings, language),
    items: inCurrency.flatMap((item): InsurableItem[] => {
      const found = offers.get(item);
      const formulas =
        found === undefined || typeof found === "string" ? [] : formulasOf(found, settings, language);
      const { lineId, itemNumber, title } = item;
      return formulas.length === 0 ? [] : [{ key: `${lineId}-${itemNumber}`, title, formulas }];
    }),
    quotes: lines.flatMap(({ title, quotes }) =>
      quotes.flatMap(({ state: quoteState, link }) =>
        quoteState === "sending" || quoteState === "unknown" || link !== null
          ? [{ title, link, isPending: quoteState === "sending" }]
          : [],
      ),
    ),
  };
}

/** Null: the customer may go on. */
function stateOfProblem(problem: QuoteProblem): NoInsureView["state"] | null {
  switch (problem) {
    case "suppressed":
      return null;
    case "customer_missing":
      return problem;
    case "not_paid":
    case "not_connected":
    case "not_selling":
      return "unavailable";
    case "other_country":
    case "company":
      return "not_sold";
    case "too_old":
      return "late";
    case "cancelled":
    case "erased":
    case "other_account":
      return "gone";
  }
}

/** What can be chosen: a quote is for one category, and its offers are the terms on the insurer's page. */
function formulasOf(
  { categories, offers }: PricedOffers,
  settings: StorefrontSettings,
  language: Language,
): InsureFormula[] {
  const nameFormula: NameFormula = (formula) => formulaName(settings, language, formula);
  const names = namesOfCategories(categories, nameFormula);
  return categories.flatMap((category) => {
    const { id, legal } = category;
    const { conditionsUrl: conditions, ipidUrl: ipid } = legal;
    const terms = offers.filter(({ categoryId }) => categoryId === id);
    if (terms.length === 0 || !isLink(conditions) || !isLink(ipid)) return [];
    return [
      {
        categoryId: id,
        name: names.get(id) ?? "",
        covers: offerCovers(terms, [category], settings, language, nameFormula),
        legal: legalTexts([category], settings, language),
        conditions,
        ipid,
        terms: terms.map((sold) => ({
          formula: categories.length > 1 ? null : shownFormula(sold, nameFormula),
          months: sold.termMonths,
          priceMinor: sold.priceMinor,
          billing: sold.billing,
        })),
      },
    ];
  });
}

interface ItemKey {
  lineId: string;
  itemNumber: number;
}

export const insureChoice = z.object({
  /** the item, as the view named it: a repetition requests the same */
  item: z
    .string()
    .regex(/^\d{1,20}-\d{1,6}$/)
    .transform((key): ItemKey => {
      const [lineId = "", itemNumber] = key.split("-");
      return { lineId, itemNumber: Number(itemNumber) };
    }),
  category: z.string().min(1).max(200),
});

/** Makes the quote that the customer chose, once, however often they tap. */
export async function makeChosenQuote(
  merchant: Merchant,
  orderId: string,
  { item, category: categoryId }: z.infer<typeof insureChoice>,
  touchpoint: Touchpoint,
): Promise<MakeQuoteResult> {
  const origin = { actor: system("customer_request"), seller: null, touchpoint };
  const result = await makeQuote(merchant, orderId, { ...item, categoryId }, origin);
  return result.state === "stands" ? awaitChosenQuote(merchant.shop, orderId, item) : result;
}

const PAUSE_MS = 250;
const PAUSES = 20;

/** The other tap's request is being sent: its outcome is shown to both. */
export async function awaitChosenQuote(
  shop: string,
  orderId: string,
  { lineId, itemNumber }: ItemKey,
): Promise<{ state: "stands" }> {
  const where = { shop, orderId, lineId, itemNumber, state: "sending" };
  for (let pauses = 0; pauses < PAUSES; pauses++) {
    if ((await db.orderQuote.count({ where })) === 0) break;
    await wait(PAUSE_MS);
  }
  return { state: "stands" };
}
