/**
 * The events of an order's book. Everything that becomes known of an order is appended once; its lines, insured items,
 * money, tasks and next step are derived from these events alone (evolve.ts). Amounts are minor units. No personal data.
 */
import { z } from "zod";
import { planFields } from "#app/orders/customer.ts";
import { touchpoints } from "#app/shopify/touchpoints.ts";
import { obstacles } from "./exchanges.ts";
import { findings } from "./item-states.ts";

const amount = z.int().nonnegative();
const quantity = z.int().nonnegative();
const time = z.coerce.date();
/** `YYYY-MM-DD` */
const day = z.string();

/** An insured item: the line of its plan, and its number on that line, from 1. */
export const itemKey = z.object({ lineId: z.string(), number: z.int().positive() });
export type ItemKey = z.infer<typeof itemKey>;

/** What names an item in an event. */
export const itemKeyOf = ({ lineId, number }: ItemKey): ItemKey => ({ lineId, number });

/** An item's name within its order. */
export const nameOf = ({ lineId, number }: ItemKey): string => `${lineId}-${number}`;

const item = { item: itemKey };
const items = { items: z.array(itemKey) };

/** What a plan insures. `priceMinor`: before discounts, as it was shown when the offer was made. */
const insuredProduct = z.object({
  lineId: z.string(),
  variantId: z.string(),
  title: z.string(),
  priceMinor: amount,
  currency: z.string(),
});
export type InsuredProduct = z.infer<typeof insuredProduct>;

export const contractStatuses = [
  "active",
  "cancelled",
  /** the insurer lists it by a word that the merchant has not explained (`statusText`): it counts until they say no */
  "listed",
  /** not in force: `statusText` has the insurer's word */
  "other",
  /** the insurer does not show it */
  "missing",
] as const;

/** Why a quote is revoked, or why the contract that came of it is to end: its order or its item is gone. */
export const revocations = ["order_cancelled", "fewer_pieces", "suppressed", "erased"] as const;

/** The quote of an uninsured item: the product's line, and its number among the quotes of the line, from 1. */
/** The tags that Parasol gives orders in the shop. */
export const orderTags = ["insured", "insurance-attention"] as const;
export type OrderTag = (typeof orderTags)[number];

const quote = { quote: itemKey };
const quotes = { quotes: z.array(itemKey) };

/** A person's answers. Those about a premium name what is settled; `done` and `dismissed` close what has no effect here. */
export const decisions = [
  "issue",
  "end",
  "keep_insurance",
  "move_insurance",
  "premium_refunded",
  "premium_kept",
  "done",
  "dismissed",
  /** an earlier answer was a mistake: the question is open again */
  "reopened",
] as const;

export const bookEvent = z.discriminatedUnion("type", [
  // Shopify

  /** The order as first seen. */
  z.object({
    type: z.literal("placed"),
    name: z.string(),
    currency: z.string(),
    isTest: z.boolean(),
    /** the insurer's environment in which its contracts are */
    environment: z.enum(["test", "production"]),
    placedAt: time,
    salesChannel: z.string(),
    paymentMethod: z.string(),
    /** in which the customer ordered; null: the report did not say */
    language: z.string().nullable(),
  }),
  /** A line as first seen. */
  z.object({
    type: z.literal("line"),
    lineId: z.string(),
    kind: z.enum(["product", "plan", "unknown_plan"]),
    /** the first product line of those that the same plans insure (matching.ts) */
    pairId: z.string(),
    productId: z.string().nullable(),
    variantId: z.string().nullable(),
    title: z.string(),
    /** of one item: before discounts, and what was paid for it */
    listPriceMinor: amount,
    paidMinor: amount,
    currency: z.string(),
    requiresShipping: z.boolean(),
    /** it was not in the order's first report: it may replace a product that went back */
    isLater: z.boolean(),
    /** the insurance category (a name), "" where the product has none */
    categoryId: z.string(),
    isOffered: z.boolean(),
    isSelected: z.boolean(),
    /** where the offer was shown; null where the storefront did not say */
    offeredAt: z.string().nullable(),
    /** the format that the merchant had set for the product page's offer; null: not known */
    productFormat: z.string().nullable().default(null),
  }),
  /** Plans that came later join lines into one pair. */
  z.object({ type: z.literal("paired"), lineId: z.string(), pairId: z.string() }),
  /** How many items a line has. Of two reports the one with the later `asOf` is right. */
  z.object({
    type: z.literal("quantity"),
    lineId: z.string(),
    /** all items ever ordered */
    ordered: quantity,
    /** what is in the order */
    current: quantity,
    /** how many of those that are not were in the refunds that this report holds */
    refunded: quantity,
    fulfilled: quantity,
    asOf: time,
  }),
  /** Lines of the order that cannot be read; empty: all can be now. */
  z.object({
    type: z.literal("unreadable"),
    lines: z.array(
      z.object({ lineId: z.string().nullable(), title: z.string().nullable(), problem: z.string() }),
    ),
  }),
  /** Items of plans beyond the limit, which get no insured item. */
  z.object({ type: z.literal("left_out"), count: quantity, limit: quantity }),
  z.object({ type: z.literal("paid"), asOf: time, paymentMethod: z.string() }),
  /** Whether a paid order has something to pay again, after an edit. */
  z.object({ type: z.literal("balance"), isDue: z.boolean(), asOf: time }),
  /** The whole order was paid back as money. */
  z.object({ type: z.literal("paid_back"), asOf: time }),
  z.object({ type: z.literal("cancelled"), asOf: time }),
  z.object({ type: z.literal("deleted"), asOf: time }),
  /** It was changed, and Shopify does not show it to the app any more. */
  z.object({ type: z.literal("not_shown"), asOf: time }),
  /** A refund, or news of one: what it takes out of the order, and what it pays back. */
  z.object({
    type: z.literal("refund"),
    refundId: z.string(),
    /** `amountMinor`: what Shopify says that these items cost, with tax */
    lines: z.array(z.object({ lineId: z.string(), quantity, amountMinor: amount })),
    /** what is paid back, but for shipping */
    moneyMinor: amount,
    currency: z.string(),
    status: z.enum(["pending", "settled", "failed"]),
    asOf: time,
  }),
  /** An edit, told without the rest of the order: what it took out. */
  z.object({
    type: z.literal("edited"),
    editId: z.string(),
    removed: z.array(z.object({ lineId: z.string(), quantity })),
    asOf: time,
  }),
  /** An insured item was bought. */
  z.object({
    type: z.literal("sold"),
    ...item,
    referenceId: z.string(),
    planVariantId: z.string(),
    planTitle: z.string(),
    termMonths: z.int().nullable(),
    /** what the insurer is owed, before discounts */
    offerPriceMinor: amount,
    /** what the customer paid */
    premiumMinor: amount,
    currency: z.string(),
    insured: insuredProduct.nullable(),
    touchpoint: z.string().nullable(),
    consent: z.string().nullable(),
    /** addresses of the category's legal documents at the moment of sale */
    conditionsUrl: z.string().nullable(),
    ipidUrl: z.string().nullable(),
    /** the terms that are kept of it (app/offers/offer-terms.ts); null: none are */
    termsSha256: z.string().nullable(),
    /** what the check of the sale found; null: nothing */
    finding: z.enum(findings).nullable(),
    /** the number of the item whose cover and premium this one takes over, on the same line */
    replaces: z.int().positive().nullable(),
  }),
  /** A later check of the sale found something, such as another store that is connected now. */
  z.object({ type: z.literal("checked"), ...items, finding: z.enum(findings) }),
  /** A person named the product of a plan that named none. */
  z.object({ type: z.literal("insured"), ...item, insured: insuredProduct }),

  // The insurer

  /** A contract may exist although no answer says so: the insurer's list decides before anything is requested. */
  z.object({
    type: z.literal("doubted"),
    ...items,
    why: z.enum(["read_in_shop", "restored", "stray_contract", "retried"]),
  }),
  /** A contract was requested, or is about to be. */
  z.object({ type: z.literal("requested"), ...item, attempt: z.int().positive() }),
  /**
   * What the insurer answered. `not_done`: certainly nothing, so the request is sent again. `unclear`: a contract may
   * exist, and only a look-up tells. `doubtful`: likewise, and where the look-up finds none, a person decides.
   */
  z.object({
    type: z.literal("answered"),
    ...item,
    attempt: z.int().positive(),
    outcome: z.enum(["created", "refused", "not_done", "unclear", "doubtful"]),
    /** what it names, whatever else it says: it is read by itself */
    contractId: z.string().nullable(),
    /** lists have no such days */
    activatesOn: day.nullable(),
    expiresOn: day.nullable(),
    message: z.string().nullable(),
  }),
  /** The insurer's list has no contract of the item. `isConclusive`: late enough that none was made. */
  z.object({
    type: z.literal("looked_up"),
    ...item,
    isConclusive: z.boolean(),
    /** the list cannot be read, and it would be late enough by now: a person has to know; null: neither */
    problem: z.string().nullable(),
  }),
  /** A contract as the insurer showed it; `item` is null where no item has it. */
  z.object({
    type: z.literal("contract"),
    contractId: z.string(),
    item: itemKey.nullable(),
    status: z.enum(contractStatuses),
    statusText: z.string(),
    referenceId: z.string(),
    activatesOn: day.nullable(),
    expiresOn: day.nullable(),
    /** its price at the insurer, once a comparison found another one than was sold */
    price: z.object({ minor: amount, currency: z.string() }).optional(),
  }),
  /** The order's cancellation was sent: the insurer cancels whole orders. */
  z.object({ type: z.literal("cancellation_requested"), attempt: z.int().positive() }),
  z.object({
    type: z.literal("cancellation_answered"),
    attempt: z.int().positive(),
    outcome: z.enum(["done", "refused", "not_done"]),
    message: z.string().nullable(),
  }),
  /** After a cancellation that the insurer accepted, a contract was not cancelled yet. `isConclusive`: late enough. */
  z.object({
    type: z.literal("cancellation_looked_up"),
    attempt: z.int().positive(),
    isConclusive: z.boolean(),
  }),
  /** A contract has to be cancelled by a person, and was in force at the insurer just now. */
  z.object({ type: z.literal("handed_over"), ...item, message: z.string() }),
  z.object({
    type: z.literal("sales_record"),
    /** `due`: it is to be sent, again */
    outcome: z.enum(["recorded", "refused", "due"]),
    message: z.string().nullable(),
  }),

  // Quotes of uninsured items

  /** It was decided which of its items get quotes by themselves. */
  z.object({ type: z.literal("quotes_decided") }),
  /** An item is to get a quote. */
  z.object({
    type: z.literal("quote_planned"),
    ...quote,
    environment: z.enum(["test", "production"]),
    productId: z.string().nullable(),
    variantId: z.string(),
    title: z.string(),
    priceMinor: amount,
    currency: z.string(),
    categoryId: z.string(),
    /** the merchant's delay after the payment; 0: staff or the customer requested it */
    delayHours: z.int().nonnegative(),
    /** where the customer requested it; null: they did not */
    touchpoint: z.enum(touchpoints).nullable(),
    /** a random id in its link, which has a signature as well */
    linkId: z.string(),
  }),
  /** A quote was requested, or is about to be. */
  z.object({ type: z.literal("quote_asked"), ...quote, attempt: z.int().positive() }),
  /** What the insurer answered; `not_done`: certainly nothing. One that was made without an offer has no use. */
  z.object({
    type: z.literal("quote_answered"),
    ...quote,
    attempt: z.int().positive(),
    outcome: z.enum(["made", "no_offer", "refused", "not_done", "unclear"]),
    quoteId: z.string().nullable(),
    expiresOn: day.nullable(),
  }),
  /** They may have been requested, and nothing says what became of that: the insurer lists no quotes. */
  z.object({ type: z.literal("quotes_lost"), ...quotes }),
  /** They were not requested while their customer expected them, and are not to be any more. */
  z.object({ type: z.literal("quotes_dropped"), ...quotes }),
  z.object({ type: z.literal("quotes_revoked"), ...quotes, reason: z.enum(revocations) }),
  /** Its link was opened for the first time. */
  z.object({ type: z.literal("quote_opened"), ...quote }),
  /** The shop's workflows were told of it, or may have been. */
  z.object({ type: z.literal("quote_announced"), ...quote }),
  /** A contract that its customer made from it, as the insurer showed it. */
  z.object({
    type: z.literal("quote_contract"),
    ...quote,
    contractId: z.string(),
    status: z.enum(["active", "cancelled", "other"]),
    title: z.string(),
    priceMinor: amount,
    expiresOn: day,
  }),
  /** Their customer's contracts were searched. */
  z.object({ type: z.literal("quotes_searched"), ...quotes }),
  /** The order's page shows the quotes with this digest. */
  z.object({ type: z.literal("quotes_shown"), digest: z.string() }),

  // The customer and staff

  /** A declaration of withdrawal. `unchecked`: those that go on until a person has looked for claims. */
  z.object({
    type: z.literal("withdrew"),
    ...items,
    unchecked: z.array(itemKey),
    /** the last day to pay the premiums back */
    refundBy: day,
    /** the app sends the acknowledgement; else a person has to */
    isMailed: z.boolean(),
  }),
  /** A person's answer to a task, and how much was at stake then. */
  z.object({
    type: z.literal("decided"),
    /** the task's subject (tasks.ts) */
    question: z.string(),
    ...items,
    answer: z.enum(decisions),
    amountMinor: amount,
    by: z.string(),
  }),
  /** What a plan request lacks of the customer, or the insurer refuses of it. Both empty: nothing any more. */
  z.object({
    type: z.literal("details_missing"),
    missing: z.array(z.enum(planFields)),
    refused: z.object({ fields: z.array(z.enum(planFields)), insurerMessage: z.string() }).nullable(),
  }),
  /** The customer's data was erased. */
  z.object({ type: z.literal("erased") }),

  // Parasol

  z.object({ type: z.literal("refund_requested"), ...items, amountMinor: amount }),
  /** Shopify refused it: nothing was paid back. */
  z.object({ type: z.literal("refund_refused"), ...items }),
  z.object({ type: z.literal("fulfilled"), ...items }),
  z.object({ type: z.literal("mailed"), ...items }),
  z.object({ type: z.literal("flow_started"), ...items, state: z.enum(["active", "attention", "ended"]) }),
  /** The order's page shows the cover with this digest. */
  z.object({ type: z.literal("shown"), digest: z.string().nullable() }),
  /** The order has these of Parasol's tags in the shop, and none of the others. */
  z.object({ type: z.literal("tagged"), tags: z.array(z.enum(orderTags)) }),
  /** Conclusions are drawn once and stay, so that later events cannot turn them around. */
  z.object({ type: z.literal("left"), ...item, by: z.enum(["refund", "edit"]) }),
  /** Its product left the order before it had a contract. */
  z.object({ type: z.literal("lost_product"), ...item }),
  /** It insures an item of another line now. */
  z.object({ type: z.literal("moved"), ...item, insuredLineId: z.string() }),
  /** Why insurance whose product left does not go on with a later product by itself; null: no such product. */
  z.object({
    type: z.literal("obstacle"),
    ...items,
    obstacle: z
      .object({ why: z.enum(obstacles), title: z.string(), premiumMinor: amount.nullable() })
      .nullable(),
  }),
]);

/** What an event says. */
export type BookEvent = z.infer<typeof bookEvent>;
export type EventOf<Type extends BookEvent["type"]> = Extract<BookEvent, { type: Type }>;

/** An event as the book keeps it. */
export type KeptEvent = BookEvent & {
  /** unique in its book: what arrives twice is appended once */
  key: string;
  /** when it became known */
  at: Date;
};

/** The key under which an event is appended; `position`: how many the book holds. Facts of Shopify have one of their own. */
export function keyOf(event: BookEvent, position: number): string {
  switch (event.type) {
    case "placed":
    case "paid":
    case "cancelled":
    case "deleted":
    case "paid_back":
      return event.type;
    case "line":
      return `line ${event.lineId}`;
    case "refund":
      return `refund ${event.refundId} ${event.status}`;
    case "edited":
      return `edit ${event.editId}`;
    case "not_shown":
      return `not shown ${event.asOf.toISOString()}`;
    case "sold":
      return `sold ${event.item.lineId} ${event.item.number}`;
    case "requested":
      return `requested ${event.item.lineId} ${event.item.number} ${event.attempt}`;
    case "answered":
      return `answered ${event.item.lineId} ${event.item.number} ${event.attempt}`;
    case "left":
    case "lost_product":
      return `${event.type} ${event.item.lineId} ${event.item.number}`;
    default:
      return `${event.type} ${position}`;
  }
}
