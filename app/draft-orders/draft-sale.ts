/** Pure: what of a draft order can be insured, and the line that insures it. */
import { gid } from "#app/shopify/gid.ts";
import { refusalOf, type SaleRule } from "../../extensions/sale-rule.ts";
import type { Billing } from "#app/insurance/fields.ts";
import { checkOrder, type CatalogueView, isPlanLine } from "#app/orders/book/sale-check.ts";
import { findInsuredLines } from "#app/orders/book/matching.ts";
import type { Finding } from "#app/orders/book/item-states.ts";
import { toDecimalText } from "#app/platform/money.ts";
import type {
  DraftOrder,
  DraftOrderLine,
  DraftOrderLineInput,
  DraftOrderProblem,
} from "#app/shopify/draft-order.ts";
import {
  agreedItems,
  CONFIRMED,
  CONSENT,
  INSURED_VARIANT,
  PAIR,
  REFERENCE,
} from "#app/shopify/line-properties.ts";
import type { ShopOrder, ShopOrderLine } from "#app/shopify/order.ts";

export interface DraftOffer {
  reference: string;
  planVariantId: string;
  /** the set of guarantees; null where the product has one alone */
  formula: string | null;
  months: number;
  /** of one item, minor units of the draft order's currency */
  priceMinor: number;
  billing: Billing;
  title: string;
}

/** A product line, with how many of its items have a plan in this draft order that the customer confirmed. */
export interface InsurableLine {
  uuid: string;
  variantId: string;
  title: string;
  quantity: number;
  insured: number;
  /** of one item: the shop's price, and what staff set in its place */
  pricesMinor: number[];
}

/** Why nothing can be added to a draft order. */
export type DraftSaleProblem =
  DraftOrderProblem | "completed" | "other_currency" | "other_country" | "company";

export function draftSaleProblemOf(draft: DraftOrder, rule: SaleRule): DraftSaleProblem | null {
  if (draft.status === "COMPLETED") return "completed";
  // The offer's price is in the shop's currency, and it is the price that the customer reads.
  if (draft.presentmentCurrency !== draft.currency) return "other_currency";
  const refusal = refusalOf(rule, { delivery: draft.delivery, isCompany: draft.isCompany });
  if (refusal === "country") return "other_country";
  return refusal === "company" ? refusal : draft.problem;
}

/** The order that would come of it, for the rules of paid orders. It does not exist yet: it has no id and no customer. */
export function toOrder({ name, currency, isCompany, lines }: DraftOrder, at: Date): ShopOrder {
  return {
    id: "",
    name,
    createdAt: at,
    updatedAt: at,
    paid: true,
    cancelledAt: null,
    isPaidBack: false,
    test: false,
    currency,
    gateways: [],
    sourceName: "shopify_draft_order",
    business: isCompany,
    acceptsMarketing: false,
    email: null,
    phone: null,
    language: null,
    customerId: null,
    customer: null,
    billingAddress: null,
    shippingAddress: null,
    unreadableLines: [],
    refunds: [],
    lines: lines.map(({ line }) => line),
  };
}

export function insurableLines(draft: DraftOrder, view: CatalogueView): InsurableLine[] {
  const lines = draft.lines.map(({ line }) => line);
  const products = lines.filter((line) => !isPlanLine(line, view));
  const plans = lines.filter((line) => isPlanLine(line, view));
  const insuredBy = plans.map((plan) => ({ product: findInsuredLines(plan, products)[0], ...plan }));
  return products.flatMap((line) => {
    const { id, variantId, title, quantity, amounts } = line;
    if (variantId === null) return [];
    const insured = insuredBy.filter(({ product }) => product === line);
    return {
      uuid: id,
      variantId,
      title,
      quantity,
      insured: insured.reduce((items, plan) => items + agreedItems(plan), 0),
      pricesMinor: [...new Set(amounts.map(({ unitPriceMinor }) => unitPriceMinor))],
    };
  });
}

/** A plan of the draft order that its customer has confirmed. */
export interface ConfirmedPlan {
  title: string;
  quantity: number;
  /** what the customer agreed to, and when */
  consent: string;
}

export const confirmedPlans = ({ lines }: DraftOrder): ConfirmedPlan[] =>
  lines.flatMap(({ line }) => {
    const { title, properties } = line;
    const consent = properties[CONSENT];
    return properties[REFERENCE] === undefined || consent === undefined
      ? []
      : [{ title, quantity: agreedItems(line), consent }];
  });

export interface DraftSale {
  /** the product's line */
  uuid: string;
  quantity: number;
  offer: DraftOffer;
  consent: string;
}

/**
 * All lines of the draft order with the plan's at the end. Plans beyond what the customer has confirmed leave: staff
 * raised their number, and the customer confirms now what they want. Where another line has the same variant, both lines of the
 * sale get a property that ties them, as the storefront's have; else the product's line stays as it is.
 */
export function linesWithPlan(
  { lines, currency }: DraftOrder,
  { uuid, quantity, offer, consent }: DraftSale,
): DraftOrderLineInput[] {
  const product = lines.find((line) => line.uuid === uuid);
  const variantId = product?.line.variantId ?? "";
  const isAlone = lines.filter(({ line }) => line.variantId === variantId).length === 1;
  const pair = product?.line.properties[PAIR] ?? (isAlone ? null : uuid);
  const tied = lines.map(({ input, ...line }) =>
    line.uuid === uuid && pair !== null && line.line.properties[PAIR] === undefined
      ? { ...input, customAttributes: [...input.customAttributes, { key: PAIR, value: pair }] }
      : { ...input, quantity: agreedItems(line.line) },
  );
  const properties = [
    ...(pair === null ? [] : [{ key: PAIR, value: pair }]),
    { key: INSURED_VARIANT, value: variantId },
    { key: REFERENCE, value: offer.reference },
    { key: CONSENT, value: consent },
    { key: CONFIRMED, value: String(quantity) },
  ];
  return [
    ...tied,
    {
      variantId: gid("ProductVariant", offer.planVariantId),
      quantity,
      // The customer agreed to this price, whatever the catalogue of a company or a market says.
      priceOverride: { amount: toDecimalText(offer.priceMinor, currency), currencyCode: currency },
      customAttributes: properties,
    },
  ];
}

/** The order that would come of these lines, paid for now. The plan's line has the id "". */
export function orderWithPlan(
  draft: DraftOrder,
  sent: readonly DraftOrderLineInput[],
  offer: DraftOffer,
  at: Date,
): ShopOrder {
  const kept = draft.lines.map(({ uuid, line }): ShopOrderLine => {
    const input = sent.find((each) => each.uuid === uuid);
    const quantity = input?.quantity ?? line.quantity;
    return {
      ...line,
      quantity,
      currentQuantity: quantity,
      properties: propertiesOf(input?.customAttributes ?? []),
    };
  });
  const added = sent.find(({ uuid }) => uuid === undefined);
  const quantity = added?.quantity ?? 0;
  const plan: ShopOrderLine = {
    id: "",
    productId: null,
    variantId: offer.planVariantId,
    title: offer.title,
    sku: offer.reference,
    quantity,
    currentQuantity: quantity,
    fulfilledQuantity: 0,
    requiresShipping: false,
    groupId: null,
    bundle: null,
    amounts: [{ currency: draft.currency, unitPriceMinor: offer.priceMinor, discountsMinor: 0 }],
    properties: propertiesOf(added?.customAttributes ?? []),
  };
  return { ...toOrder(draft, at), lines: [...kept, plan] };
}

/** What the check of such an order finds wrong with the plan, which would make it a task; null: nothing. */
export function findingOfPlan(order: ShopOrder, view: CatalogueView): Finding | null {
  const added = checkOrder(order, view).items.filter(({ lineId }) => lineId === "");
  return added.map(({ finding }) => finding).find((finding) => finding !== null) ?? null;
}

const propertiesOf = (
  attributes: DraftOrderLineInput["customAttributes"],
): DraftOrderLine["line"]["properties"] =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value]));
