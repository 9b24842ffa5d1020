/**
 * Insurance on draft orders: what staff can offer there, and the plan that the customer adds by their own link. No tick by
 * the seller stands for the customer's consent.
 */
import { z } from "zod";
import { type DraftLink, draftLink } from "#app/customers/customer-links.server.ts";
import { queueMail } from "#app/outbox/outbox.server.ts";
import { type Actor, system } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { isLink } from "#app/platform/web-address.ts";
import type { SoldReference } from "#app/catalogue/sync/compact-catalogue.ts";
import { dataKeyOf, digest } from "#app/merchants/data-key.server.ts";
import { readPermissionModes } from "#app/merchants/optional-scopes.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { withStaffLock } from "#app/merchants/staff-request.server.ts";
import { type OfferAbout, readOfferAbout } from "#app/offers/offer-about.server.ts";
import { type LegalText, legalTexts, type OfferCover, offerCovers } from "#app/offers/offer-covers.ts";
import { findOffersAtPrices, type PricedOffers } from "#app/offers/offers.server.ts";
import {
  asTheInsurer,
  type NameFormula,
  namesOfCategories,
  type NoOfferReason,
  shownFormula,
} from "#app/offers/offers-response.ts";
import { readStorefrontSettings } from "#app/offers/storefront-settings.server.ts";
import { formulaName, type StorefrontSettings } from "#app/offers/storefront-settings.ts";
import { readCatalogueView } from "#app/orders/catalogue-view.server.ts";
import type { Finding } from "#app/orders/book/item-states.ts";
import { db } from "#app/platform/db.server.ts";
import { type Language, languages } from "#app/platform/locale.ts";
import { log } from "#app/platform/log.server.ts";
import { mailIsOn } from "#app/platform/mail.server.ts";
import { type DraftOrder, isAsWritten } from "#app/shopify/draft-order.ts";
import { fetchDraftOrder, writeDraftOrderLines } from "#app/shopify/draft-order.server.ts";
import { AdminRefused, whyUnreadable } from "#app/shopify/errors.ts";
import { addressOf, type DraftMailView, mailId, readDraftMail } from "./draft-mail.server.ts";
import {
  type ConfirmedPlan,
  confirmedPlans,
  type DraftOffer,
  type DraftSaleProblem,
  draftSaleProblemOf,
  findingOfPlan,
  type InsurableLine,
  insurableLines,
  linesWithPlan,
  orderWithPlan,
  toOrder,
} from "./draft-sale.ts";
import { saleMail } from "./sale-words.ts";

export interface OfferedLine {
  uuid: string;
  title: string;
  quantity: number;
  /** items with a plan in this draft order */
  insured: number;
  offers: Pick<DraftOffer, "reference" | "formula" | "months" | "priceMinor" | "billing">[];
  /** links of the general conditions and the IPID, of each formula that has its own; empty without offers */
  documents: { name: string; conditions: string; ipid: string }[];
  /** what the offers cover, and the legal texts, in the reader's language */
  covers: OfferCover[];
  legal: LegalText[];
  /** null where there are offers */
  reason: NoOfferReason | "no_documents" | null;
}

/** Why staff and customers see no draft order. */
export type Unreadable =
  /** the merchant has not turned it on */
  | "off"
  /** the optional scope is missing */
  | "no_permission"
  /** Shopify has not approved the app for orders */
  | "no_access"
  /** this shop has no such draft order */
  | "not_found"
  /** Shopify does not answer */
  | "unavailable";

export interface DraftView {
  state: "ready";
  name: string;
  currency: string;
  /** an invoice was sent: it has to be sent again for the customer to pay for the plan */
  isInvoiced: boolean;
  /** why nothing can be added; null: something can */
  problem: DraftSaleProblem | null;
  lines: OfferedLine[];
  /** where the customer reads prices and documents and confirms: staff send it */
  link: string;
  /** YYYY-MM-DD, its last day */
  until: string;
  mail: DraftMailView;
}

interface Read {
  draft: DraftOrder;
  problem: DraftSaleProblem | null;
  offered: (InsurableLine & Found)[];
}
type Found =
  | ({ offers: DraftOffer[] } & Pick<OfferedLine, "documents" | "covers" | "legal">)
  | { reason: OfferedLine["reason"] };

/** In whose words offers are named and described; without it, in the insurer's. */
interface Wording {
  settings: StorefrontSettings;
  language: Language;
}

export async function readDraftView(
  merchant: Merchant,
  draftOrderId: string,
  language: Language,
): Promise<DraftView | { state: Unreadable }> {
  const settings = await readStorefrontSettings(merchant.shop);
  const read = await readOrWhyNot(merchant, draftOrderId, { settings, language });
  if ("state" in read) return read;
  const { draft, problem, offered } = read;
  const { link, until } = draftLink(merchant.shop, draftOrderId);
  return {
    state: "ready",
    name: draft.name,
    currency: draft.currency,
    isInvoiced: draft.status === "INVOICE_SENT",
    problem,
    lines: offered.map(toOfferedLine),
    link,
    until,
    mail: await readDraftMail(merchant, draft, until),
  };
}

export const mailRequest = z.object({ language: z.enum(languages) });

export type MailLinkResult =
  | { state: "mailing" }
  /** nothing can be offered, or no mail can be sent: the view says why */
  | { state: "not_mailed" }
  | { state: Unreadable };

/** Mails the link to the draft order's customer, once a day. */
export async function mailDraftLink(
  merchant: Merchant,
  draftOrderId: string,
  { language }: z.infer<typeof mailRequest>,
  actor: Actor,
): Promise<MailLinkResult> {
  const { shop } = merchant;
  const read = await readOrWhyNot(merchant, draftOrderId);
  if ("state" in read) return read;
  const { draft, problem, offered } = read;
  const to = addressOf(draft);
  const canOffer = offered.map(toOfferedLine).some(isInsurable);
  if (!mailIsOn || to === null || problem !== null || !canOffer) return { state: "not_mailed" };
  const { link, until } = draftLink(shop, draftOrderId);
  const mail = saleMail(
    {
      shopName: shopNameOf(merchant),
      name: draft.name,
      isTest: merchant.environment === "test",
      link: `${link}?language=${language}`,
      until,
    },
    language,
  );
  const dataKey = await dataKeyOf(shop);
  const id = mailId(draft, until, digest(dataKey, to));
  const isQueued = await db.$transaction(async (tx) => {
    const isNew = await queueMail(tx, shop, dataKey, { id, draftOrderId, to, ...mail });
    if (isNew) await recordAudit({ shop, actor, action: "draft_link_mailed", subject: draftOrderId }, tx);
    return isNew;
  });
  return { state: isQueued ? "mailing" : "not_mailed" };
}

const shopNameOf = ({ name, shop }: Merchant) => (name === "" ? shop : name);

const isInsurable = ({ offers, insured, quantity }: OfferedLine) => offers.length > 0 && insured < quantity;

function toOfferedLine({ uuid, title, quantity, insured, ...found }: InsurableLine & Found): OfferedLine {
  const line = { uuid, title, quantity, insured };
  if (!("offers" in found))
    return { ...line, offers: [], documents: [], covers: [], legal: [], reason: found.reason };
  const offers = found.offers.map(({ reference, formula, months, priceMinor, billing }) => ({
    reference,
    formula,
    months,
    priceMinor,
    billing,
  }));
  const { documents, covers, legal } = found;
  return { ...line, offers, documents, covers, legal, reason: null };
}

async function readOrWhyNot(
  merchant: Merchant,
  draftOrderId: string,
  wording?: Wording,
): Promise<Read | { state: Unreadable }> {
  const { shop } = merchant;
  const { draftOrders } = await readPermissionModes(shop);
  if (draftOrders !== "on") return { state: draftOrders };
  try {
    const draft = await fetchDraftOrder(shop, draftOrderId);
    if (draft === null) return { state: "not_found" };
    return await withOffers(merchant, draft, wording);
  } catch (error) {
    return { state: stateOf(error, shop) };
  }
}

/** @throws what is not Shopify's failure */
function stateOf(error: unknown, shop: string): Unreadable {
  const state = whyUnreadable(error);
  log.warn({ err: error, shop }, "Failed to read or write a draft order");
  return state;
}

async function withOffers(merchant: Merchant, draft: DraftOrder, wording?: Wording): Promise<Read> {
  const { view } = await readCatalogueView(merchant.shop, toOrder(draft, new Date()));
  const lines = insurableLines(draft, view);
  const priced = lines.flatMap(({ uuid, variantId, pricesMinor }) =>
    pricesMinor.map((priceMinor) => ({ uuid, variantId, priceMinor })),
  );
  const results = await findOffersAtPrices(merchant, priced);
  const offered = lines.map((line) => {
    const own = priced.filter(({ uuid }) => uuid === line.uuid).flatMap((each) => results.get(each) ?? []);
    return { ...line, ...offersFor(own, wording) };
  });
  return { draft, problem: draftSaleProblemOf(draft, view.saleRule), offered };
}

/** Offers that fit every price that the line may come to be paid at, with documents to read from. */
function offersFor(results: readonly (PricedOffers | NoOfferReason)[], wording?: Wording): Found {
  const [first] = results;
  const reason = results.find((result) => typeof result === "string");
  if (typeof reason === "string") return { reason };
  if (first === undefined || typeof first === "string") return { reason: "product_unknown" };
  const fitting = first.offers.filter(({ referenceId }) =>
    results.every(
      (result) =>
        typeof result !== "string" && result.offers.some((other) => other.referenceId === referenceId),
    ),
  );
  if (fitting.length === 0) return { reason: "no_offer_at_price" };
  const nameFormula: NameFormula = wording
    ? (formula) => formulaName(wording.settings, wording.language, formula)
    : asTheInsurer;
  const own = first.categories.filter(({ id }) => fitting.some(({ categoryId }) => categoryId === id));
  const names = namesOfCategories(first.categories, nameFormula);
  const documents = own.map(({ id, legal: { conditionsUrl: conditions, ipidUrl: ipid } }) => {
    return { name: own.length === 1 ? "" : (names.get(id) ?? ""), conditions, ipid };
  });
  if (!documents.every(({ conditions, ipid }) => isLink(conditions) && isLink(ipid)))
    return { reason: "no_documents" };
  return {
    documents,
    offers: fitting.map((sold) => draftOffer(sold, nameFormula)),
    covers: wording ? offerCovers(fitting, own, wording.settings, wording.language, nameFormula) : [],
    legal: wording ? legalTexts(own, wording.settings, wording.language) : [],
  };
}

const draftOffer = (sold: SoldReference, nameFormula: NameFormula): DraftOffer => ({
  reference: sold.referenceId,
  planVariantId: sold.variantId,
  formula: shownFormula(sold, nameFormula),
  months: sold.termMonths,
  priceMinor: sold.shopPriceMinor,
  billing: sold.billing,
  title: sold.title,
});

export interface SaleView {
  state: "ready";
  shop: string;
  shopName: string;
  /** `#D1` */
  name: string;
  isTest: boolean;
  currency: string;
  /** YYYY-MM-DD, the last day of the link */
  until: string;
  /** why nothing can be added now; null: something can */
  problem: DraftSaleProblem | null;
  /** without those that are insured whole or have no offer */
  lines: OfferedLine[];
  about: OfferAbout;
  confirmed: ConfirmedPlan[];
}

/** The draft order as its customer sees it. */
export async function readSaleView(
  merchant: Merchant,
  { draftOrderId, until }: DraftLink,
  language: Language,
): Promise<SaleView | { state: Unreadable }> {
  const settings = await readStorefrontSettings(merchant.shop);
  const read = await readOrWhyNot(merchant, draftOrderId, { settings, language });
  if ("state" in read) return read;
  const { draft, problem, offered } = read;
  return {
    state: "ready",
    shop: merchant.shop,
    shopName: shopNameOf(merchant),
    name: draft.name,
    isTest: merchant.environment === "test",
    currency: draft.currency,
    until,
    problem,
    lines: offered.map(toOfferedLine).filter(isInsurable),
    about: await readOfferAbout(merchant, settings, language),
    confirmed: confirmedPlans(draft),
  };
}

export const planChoice = z.object({
  /** the product's line of the draft order */
  line: z.string().min(1).max(100),
  /** price of one item as the customer read it, in minor units, and the reference */
  offer: z
    .string()
    .max(220)
    .regex(/^\d{1,12} ./)
    .transform((value) => {
      const space = value.indexOf(" ");
      return { priceMinor: Number(value.slice(0, space)), reference: value.slice(space + 1) };
    }),
  quantity: z.coerce.number().int().min(1).max(1_000),
  /** the customer's own tick */
  agreed: z.literal("yes"),
});
export type PlanChoice = z.infer<typeof planChoice>;

export type AddPlanResult =
  | { state: "added" }
  /** the line is gone, the offer or its price is another by now */
  | { state: "changed" }
  /** fewer items of the line are without a plan */
  | { state: "insured" }
  /** paid for as it is, it would become a task */
  | { state: "would_be_task"; finding: Finding }
  | { state: "problem"; problem: DraftSaleProblem }
  /** others are writing */
  | { state: "busy" }
  /** Shopify does not accept the line */
  | { state: "refused" }
  | { state: Unreadable };

/**
 * Adds the plan that the customer confirmed, once: what is insured already is not insured again, so a repetition does no
 * harm.
 * @param agreedTo what the customer ticked, with price and time: it is noted on the line
 */
export async function addPlanLine(
  merchant: Merchant,
  draftOrderId: string,
  choice: PlanChoice,
  agreedTo: (terms: { priceMinor: number; months: number; currency: string; at: Date }) => string,
): Promise<AddPlanResult> {
  const { shop } = merchant;
  const result = await withStaffLock(shop, () => addLocked(merchant, draftOrderId, choice, agreedTo));
  if (result === null) return { state: "busy" };
  if (result.state === "added") {
    const after = { reference: choice.offer.reference, plans: choice.quantity };
    const actor = system("customer_request");
    await recordAudit({ shop, actor, action: "draft_plan_added", subject: draftOrderId, after });
  }
  return result;
}

async function addLocked(
  merchant: Merchant,
  draftOrderId: string,
  { line: uuid, offer: { reference, priceMinor }, quantity }: PlanChoice,
  agreedTo: Parameters<typeof addPlanLine>[3],
): Promise<AddPlanResult> {
  const read = await readOrWhyNot(merchant, draftOrderId);
  if ("state" in read) return read;
  const { draft, problem, offered } = read;
  if (problem !== null) return { state: "problem", problem };
  const line = offered.find((each) => each.uuid === uuid);
  if (!line) return { state: "changed" };
  if (line.quantity - line.insured < quantity) return { state: "insured" };
  const offer = "offers" in line ? line.offers.find((each) => each.reference === reference) : undefined;
  if (offer?.priceMinor !== priceMinor) return { state: "changed" };
  const at = new Date();
  const consent = agreedTo({
    priceMinor: priceMinor * quantity,
    months: offer.months,
    currency: draft.currency,
    at,
  });
  const sent = linesWithPlan(draft, { uuid, quantity, offer, consent });
  const order = orderWithPlan(draft, sent, offer, at);
  const finding = findingOfPlan(order, (await readCatalogueView(merchant.shop, order)).view);
  if (finding !== null) return { state: "would_be_task", finding };
  try {
    const after = await writeDraftOrderLines(merchant.shop, draftOrderId, sent);
    if (!isAsWritten(sent, draft, after))
      log.warn({ shop: merchant.shop }, "Shopify changed more of a draft order than the plan's line");
    return { state: "added" };
  } catch (error) {
    const state = stateOf(error, merchant.shop);
    return { state: error instanceof AdminRefused && state === "unavailable" ? "refused" : state };
  }
}
