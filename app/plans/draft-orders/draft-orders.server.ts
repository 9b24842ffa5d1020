/** Insurance on draft orders: what staff can offer there, and the plan that they add with the customer's consent. */
import { z } from "zod";
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { namesInUniverse } from "#app/catalogue/references/formula.ts";
import { isLink } from "#app/catalogue/references/reference.ts";
import type { SoldReference } from "#app/catalogue/sync/compact-content.ts";
import { readPermissionModes } from "#app/merchants/optional-scopes.server.ts";
import type { Merchant, Seller } from "#app/merchants/merchant.ts";
import { withStaffLock } from "#app/merchants/staff-request.server.ts";
import { findOffersAtPrices, type PricedOffers } from "#app/offers/offers.server.ts";
import type { NoOfferReason } from "#app/offers/offers-response.ts";
import { readCatalogueView } from "#app/plans/ledger/catalogue-view.server.ts";
import type { Finding } from "#app/plans/ledger/unit-states.ts";
import { log } from "#app/platform/log.server.ts";
import { toDecimalText } from "#app/platform/money.ts";
import { type DraftOrder, isAsWritten } from "#app/shopify/draft-order.ts";
import { fetchDraftOrder, writeDraftOrderLines } from "#app/shopify/draft-order.server.ts";
import { AdminRefused, whyUnreadable } from "#app/shopify/errors.ts";
import {
  type DraftOffer,
  type DraftSaleProblem,
  draftSaleProblemOf,
  findingOfPlan,
  type InsurableLine,
  insurableLines,
  linesWithPlan,
  orderWithPlan,
  spokenConsent,
  toOrder,
} from "./draft-sale.ts";

export interface OfferedLine {
  uuid: string;
  title: string;
  quantity: number;
  /** items with a plan in this draft order */
  insured: number;
  offers: Pick<DraftOffer, "reference" | "months" | "priceMinor" | "billing">[];
  /** links of the general conditions and the IPID, of each formula that has its own; empty without offers */
  documents: { name: string; conditions: string; ipid: string }[];
  /** null where there are offers */
  reason: NoOfferReason | "no_documents" | null;
}

/** Why staff see no draft order. */
export type Unreadable =
  /** the merchant has not turned it on */
  | "off"
  /** the optional scope is missing */
  | "no_permission"
  /** the platform has not approved the app for orders */
  | "no_access"
  /** this shop has no such draft order */
  | "not_found"
  /** the platform does not answer */
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
}

interface Read {
  draft: DraftOrder;
  problem: DraftSaleProblem | null;
  offered: (InsurableLine & Found)[];
}
type Found =
  { offers: DraftOffer[]; documents: OfferedLine["documents"] } | { reason: OfferedLine["reason"] };

export async function readDraftView(
  merchant: Merchant,
  draftOrderId: string,
): Promise<DraftView | { state: Unreadable }> {
  const read = await readOrWhyNot(merchant, draftOrderId);
  if ("state" in read) return read;
  const { draft, problem, offered } = read;
  return {
    state: "ready",
    name: draft.name,
    currency: draft.currency,
    isInvoiced: draft.status === "INVOICE_SENT",
    problem,
    lines: offered.map(({ uuid, title, quantity, insured, ...found }) => ({
      uuid,
      title,
      quantity,
      insured,
      ...("offers" in found
        ? {
            documents: found.documents,
            reason: null,
            offers: found.offers.map(({ reference, formula, months, priceMinor, billing }) => ({
              reference,
              formula,
              months,
              priceMinor,
              billing,
            })),
          }
        : { offers: [], documents: [], reason: found.reason }),
    })),
  };
}

async function readOrWhyNot(merchant: Merchant, draftOrderId: string): Promise<Read | { state: Unreadable }> {
  const { shop } = merchant;
  const { draftOrders } = await readPermissionModes(shop);
  if (draftOrders !== "on") return { state: draftOrders };
  try {
    const draft = await fetchDraftOrder(shop, draftOrderId);
    return draft === null ? { state: "not_found" } : await withOffers(merchant, draft);
  } catch (error) {
    return { state: stateOf(error, shop) };
  }
}

/** @throws what is not the platform's failure */
function stateOf(error: unknown, shop: string): Unreadable {
  const state = whyUnreadable(error);
  log.warn({ err: error, shop }, "Failed to read or write a draft order");
  return state;
}

async function withOffers(merchant: Merchant, draft: DraftOrder): Promise<Read> {
  const { view } = await readCatalogueView(merchant.shop, toOrder(draft, new Date()));
  const lines = insurableLines(draft, view);
  const priced = lines.flatMap(({ uuid, variantId, pricesMinor }) =>
    pricesMinor.map((priceMinor) => ({ uuid, variantId, priceMinor })),
  );
  const results = await findOffersAtPrices(merchant, priced);
  const offered = lines.map((line) => {
    const own = priced.filter(({ uuid }) => uuid === line.uuid).flatMap((each) => results.get(each) ?? []);
    return { ...line, ...offersFor(own) };
  });
  return { draft, problem: draftSaleProblemOf(draft, view.saleRule), offered };
}

/** Offers that fit every price that the line may come to be paid at, with documents to read from. */
function offersFor(results: readonly (PricedOffers | NoOfferReason)[]): Found {
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
  const own = first.categories.filter(({ id }) => fitting.some(({ categoryId }) => categoryId === id));
  const names = namesInUniverse(first.categories.map(({ id }) => id));
  const documents = own.map(({ id, legal: { conditionsUrl: conditions, ipidUrl: ipid } }) => {
    return { name: own.length === 1 ? "" : (names.get(id) ?? id), conditions, ipid };
  });
  if (!documents.every(({ conditions, ipid }) => isLink(conditions) && isLink(ipid)))
    return { reason: "no_documents" };
  return { documents, offers: fitting.map(draftOffer) };
}

const draftOffer = (sold: SoldReference): DraftOffer => ({
  reference: sold.referenceId,
  planVariantId: sold.variantId,
  formula: sold.formula,
  months: sold.termMonths,
  priceMinor: sold.shopPriceMinor,
  billing: sold.billing,
  title: sold.title,
});

export const planSale = z.strictObject({
  /** the product's line of the draft order */
  uuid: z.string().min(1).max(100),
  reference: z.string().min(1).max(200),
  quantity: z.int().min(1).max(1_000),
  /** of one item, as the customer heard it, minor units */
  priceMinor: z.int().positive(),
  /** the seller confirms that the customer heard price, conditions and IPID, and agrees */
  agreed: z.literal(true),
  /** where the platform does not say who the seller is */
  seller: z.string().trim().max(200).nullable().default(null),
});
export type PlanSale = z.infer<typeof planSale>;

export type AddPlanResult =
  | { state: "added" }
  /** added, and the platform changed something else with it: a person has to look */
  | { state: "added_look" }
  /** the line is gone, the offer or its price is another by now */
  | { state: "changed" }
  /** fewer items of the line are without a plan */
  | { state: "insured" }
  /** paid for as it is, it would become a task */
  | { state: "would_be_task"; finding: Finding }
  | { state: "problem"; problem: DraftSaleProblem }
  /** others are writing */
  | { state: "busy" }
  /** the platform does not accept the line */
  | { state: "refused" }
  | { state: Unreadable };

/** Adds the plan's line, once: what is insured already is not insured again, so a repetition does no harm. */
export async function addPlanLine(
  merchant: Merchant,
  draftOrderId: string,
  sale: PlanSale,
  { actor, seller }: { actor: Actor; seller: Seller },
): Promise<AddPlanResult> {
  const result = await withStaffLock(merchant.shop, () => addLocked(merchant, draftOrderId, sale, seller));
  if (result === null) return { state: "busy" };
  if (result.state === "added" || result.state === "added_look") {
    await recordAudit({
      shop: merchant.shop,
      actor,
      action: "draft_plan_added",
      subject: draftOrderId,
      after: { reference: sale.reference, plans: sale.quantity },
    });
  }
  return result;
}

async function addLocked(
  merchant: Merchant,
  draftOrderId: string,
  { uuid, reference, quantity, priceMinor }: PlanSale,
  seller: Seller,
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
  const consent = spokenConsent(merchant.locale, {
    seller,
    at,
    items: quantity,
    months: offer.months,
    price: `${toDecimalText(priceMinor, draft.currency)} ${draft.currency}`,
  });
  const sent = linesWithPlan(draft, { uuid, quantity, offer, consent });
  const order = orderWithPlan(draft, sent, offer, at);
  const finding = findingOfPlan(order, (await readCatalogueView(merchant.shop, order)).view);
  if (finding !== null) return { state: "would_be_task", finding };
  try {
    const after = await writeDraftOrderLines(merchant.shop, draftOrderId, sent);
    return { state: isAsWritten(sent, draft, after) ? "added" : "added_look" };
  } catch (error) {
    const state = stateOf(error, merchant.shop);
    return { state: error instanceof AdminRefused && state === "unavailable" ? "refused" : state };
  }
}
