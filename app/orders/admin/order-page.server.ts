/** What the page of an order shows. */
import { readInsurableDays } from "#app/merchants/quote-settings.server.ts";
import { isInsurable } from "#app/orders/book/quote-rules.ts";
import { isLink } from "#app/platform/web-address.ts";
import { categoryKey, coverKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { findBillings } from "#app/catalogue/references/look-up.server.ts";
import { claimLink, insureLink } from "#app/customers/customer-links.server.ts";
import { listFailedWebhooks } from "#app/inbox/stored-webhooks.server.ts";
import type { Billing } from "#app/insurance/fields.ts";
import { type DataKey, dataKeyOf } from "#app/merchants/data-key.server.ts";
import { listOrderMails } from "#app/outbox/outbox.server.ts";
import { readMerchantSettings } from "#app/merchants/settings.server.ts";
import { readConsentTexts, readStorefrontSettings } from "#app/offers/storefront-settings.server.ts";
import { readTerms } from "#app/offers/offer-terms.server.ts";
import type { OfferTerms } from "#app/offers/offer-terms.ts";
import { coverPoints, type StorefrontSettings } from "#app/offers/storefront-settings.ts";
import { canKeepInsured, isEndable, isRefundable } from "#app/orders/book/answers.ts";
import { type Premium, splitPremiums } from "#app/orders/book/money.ts";
import { readOrderBook } from "#app/orders/book/book.server.ts";
import { type Item, type Order, replacementOf } from "#app/orders/book/evolve.ts";
import { type ItemRow, itemRow, lineRows, orderRow } from "#app/orders/book/projection.ts";
import { readStory } from "#app/orders/book/story.ts";
import { readConsent } from "#app/orders/consent.ts";
import { missingFields } from "#app/orders/customer.ts";
import { type ConsentWords, ERASED_CONSENTS, openConsents, openCustomer } from "#app/orders/sealed.server.ts";
import { statementsOf } from "#app/orders/statement.ts";
import { listOpenTasks } from "#app/orders/tasks/tasks.server.ts";
import { explainOrder } from "#app/orders/book/explain.ts";
import { db } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import type { Locale } from "#app/platform/locale.ts";
import { readOrderStanding } from "./order-list.server.ts";

interface Cover {
  points: readonly string[];
  /** false: in the shop's present words, because the customer read another language */
  isAsSold: boolean;
}

interface DocumentView {
  name: "conditions" | "ipid";
  /** as of the sale */
  address: string;
  /** the app has it as it was at the sale */
  isKept: boolean;
}

export interface ItemView extends ItemRow {
  /** what it covers; empty: not known */
  cover: Cover;
  documents: DocumentView[];
  /** what the customer gets back if the insurance ends now, minor units; null: staff cannot refund it here */
  refundMinor: number | null;
  /** the mark of a consent that the storefront recorded; null: there is none, or it is in words */
  consent: string | null;
  /** a consent that staff noted in words; null: there is none, or it is erased */
  consentWords: string | null;
  /** when it was erased; null: it was not */
  consentErasedAt: Date | null;
  /** how often it is paid for; null: its reference is not known any more */
  billing: Billing | null;
  /** what was agreed to; null where it is not on record, as those of old, numbered versions */
  consentText: string | null;
  /** the merchant alone ended it, and its contract is not cancelled yet */
  canKeepInsured: boolean;
  /** the replacement that its cover and premium moved to; null: they did not */
  movedTo: string | null;
}

export type OrderView = NonNullable<Awaited<ReturnType<typeof readOrderView>>>;

/** Null: there is no such order in this shop. @param locale the language of the person who reads it */
export async function readOrderView(shop: string, orderId: string, locale: Locale) {
  const [personal, book] = await Promise.all([
    db.order.findUnique({
      where: { shop_orderId: { shop, orderId } },
      select: { sealedCustomer: true, sealedConsents: true },
    }),
    readOrderBook(shop, orderId),
  ]);
  const row = book && orderRow(book.order);
  if (!personal || !book || !row) return null;
  const { order, events } = book;
  const references = new Set(order.items.map(({ sold }) => sold.referenceId));
  const [
    tasks,
    failedWebhooks,
    standing,
    insurableDays,
    billings,
    consentTexts,
    mails,
    { claimContact },
    storefront,
    terms,
  ] = await Promise.all([
    listOpenTasks(shop, orderId),
    listFailedWebhooks(shop, orderId),
    readOrderStanding(shop, orderId),
    readInsurableDays(shop),
    findBillings(shop, row.environment, [...references]),
    readConsentTexts(shop, [...new Set(order.items.flatMap((item) => versionOf(item) ?? []))]),
    listOrderMails(shop, orderId),
    readMerchantSettings(shop),
    readStorefrontSettings(shop),
    readTerms(
      db,
      shop,
      order.items.flatMap(({ sold }) => sold.termsSha256 ?? []),
    ),
  ]);
  const { insurer } = storefront;
  const { premiums } = splitPremiums(order, new Date());
  const { fulfilment, canRefund, quoteContracts } = standing;
  const explanations = explainOrder(order, {
    ...standing,
    now: new Date(),
    conclusiveAfterS: env.INSURANCE_CONSISTENCY_SECONDS,
  });
  const canBeInsured = isInsurable(order, insurableDays, new Date());
  const { sealedCustomer, sealedConsents } = personal;
  const key = (sealedCustomer ?? sealedConsents) === null ? null : await dataKeyOf(shop);
  const customer =
    sealedCustomer === null || key === null ? null : openCustomer(key, orderId, sealedCustomer);
  const consents = readConsents(key, orderId, sealedConsents);
  const { missing, refused } = order.details;
  const items = order.items.map((item): ItemView => ({
    ...itemRow(order, item),
    ...consentOf(order, item, consents),
    cover: coverOf(terms.get(item.sold.termsSha256 ?? ""), storefront, locale),
    documents: documentsOf(item, terms.get(item.sold.termsSha256 ?? "")),
    refundMinor: canRefund ? refundMinorOf(order, item, premiums.get(item)) : null,
    consentText: consentTexts.get(versionOf(item) ?? "") ?? null,
    billing: billings.get(item.sold.referenceId) ?? null,
    canKeepInsured: canKeepInsured(order, item),
    movedTo: replacementOf(order, item)?.insured?.title ?? null,
  }));
  return {
    ...row,
    orderId,
    customer,
    /** what a plan needs of the customer and the order lacks */
    missing: customer === null ? [] : missingFields(customer, missing.includes("phone")),
    /** what the insurer does not take as it is */
    refused,
    lines: lineRows(order)
      .toSorted(byLine)
      .map((line) => ({ ...line, plans: plansOf(line.lineId, items) })),
    items,
    /** why plans have no contract in force */
    explanations: explanations.filter(({ why }) => why !== "in_force"),
    quoteContracts,
    paidForPlans: sumOf(items),
    history: readStory(events),
    tasks,
    /** what became of the premiums that were paid, by currency */
    statements: statementsOf(order, new Date()),
    failedWebhooks,
    /** whether the lines of contracts are fulfilled in the shop */
    fulfilment,
    /** where its customer reports a claim, to copy for a caller; null: no contract is in force */
    claims: items.some(({ contractId, state }) => contractId !== null && state !== "cancelled")
      ? { page: claimLink(shop, orderId), contact: claimContact, insurer }
      : null,
    mails,
    /** where its customer insures what is not insured, for the merchant's own mails; null: nothing is left */
    insureLink: canBeInsured ? insureLink(shop, orderId, "post_purchase_email") : null,
  };
}

/** In the words of the sale; if the customer read another language, in the shop's present ones for the reader. */
function coverOf(terms: OfferTerms | undefined, storefront: StorefrontSettings, locale: Locale): Cover {
  if (!terms) return { points: [], isAsSold: true };
  const { category, formula, covers, language } = terms;
  const keys = [coverKey(category, formula), categoryKey(category)];
  const translated = language === locale ? [] : coverPoints(storefront, locale, { keys, bullets: [] });
  return translated.length > 0 ? { points: translated, isAsSold: false } : { points: covers, isAsSold: true };
}

function documentsOf({ sold }: Item, terms: OfferTerms | undefined): DocumentView[] {
  const addresses = { conditions: sold.conditionsUrl, ipid: sold.ipidUrl };
  return (["conditions", "ipid"] as const).flatMap((name) => {
    const address = addresses[name];
    if (address === null || !isLink(address)) return [];
    return [{ name, address, isKept: (terms?.[name]?.sha256 ?? null) !== null }];
  });
}

/**
 * The whole premium: what was paid back in part, or kept by a decision, is a person's to sum up. The premium of a
 * withdrawal is refunded by its own task, which names the legal date.
 */
function refundMinorOf(order: Order, item: Item, premium: Premium | undefined): number | null {
  if (!premium || item.withdrawal !== null || !isEndable(order, item) || !isRefundable(order, item))
    return null;
  const { refundedMinor, keptMinor, coveredMinor, underWayMinor, openMinor } = premium;
  const minor = coveredMinor + underWayMinor + openMinor;
  return refundedMinor + keptMinor > 0 || minor === 0 ? null : minor;
}

const byLine = (a: { lineId: string; number?: number }, b: { lineId: string; number?: number }): number =>
  a.lineId < b.lineId ? -1 : a.lineId > b.lineId ? 1 : (a.number ?? 0) - (b.number ?? 0);

/** The version of the text that the customer agreed to; null: none is on record. */
const versionOf = ({ sold: { consent } }: Item): string | null =>
  consent === null ? null : (readConsent(consent)?.version ?? null);

interface Consents {
  words: ConsentWords;
  areErased: boolean;
}

const readConsents = (key: DataKey | null, orderId: string, sealed: string | null): Consents => ({
  words: key === null ? {} : openConsents(key, orderId, sealed),
  areErased: sealed === ERASED_CONSENTS,
});

const consentOf = (order: Order, { lineId, sold }: Item, { words, areErased }: Consents) => ({
  consent: sold.consent,
  consentWords: words[lineId] ?? null,
  consentErasedAt: areErased && sold.consent === null ? order.erasedAt : null,
});

/** What several plans cost together with the order; null for one alone, and in several currencies. */
function sumOf(all: readonly ItemView[]): { premiumMinor: number; currency: string } | null {
  const items = all.filter(({ movedTo }) => movedTo === null);
  const [first, ...others] = items;
  if (!first || others.length === 0 || others.some(({ currency }) => currency !== first.currency))
    return null;
  return {
    premiumMinor: items.reduce((sum, { premiumMinor }) => sum + premiumMinor, 0),
    currency: first.currency,
  };
}

/** How many plans that insure a line are in each state. */
function plansOf(lineId: string, items: readonly ItemView[]) {
  const ofLine = items.filter(({ insuredLineId }) => insuredLineId === lineId);
  const states = Map.groupBy(ofLine, ({ state }) => state);
  return [...states].map(([state, { length: count }]) => ({ state, count }));
}
