/**
 * The events of an order's book. Everything that becomes known of an order is appended once; its lines, insured items,
 * money, tasks and next step are derived from these events alone (evolve.ts). Amounts are minor units. No personal data.
 */
import { z } from "zod";
import { findings } from "#app/orders/ledger/item-states.ts";

const amount = z.int().nonnegative();
const quantity = z.int().nonnegative();
const time = z.coerce.date();
/** `YYYY-MM-DD` */
const day = z.iso.date();

/** An insured item: the line of its plan, and its number on that line, from 1. */
export const itemKey = z.object({ lineId: z.string(), number: z.int().positive() });
export type ItemKey = z.infer<typeof itemKey>;
const item = { item: itemKey };

export const contractStatuses = ["pending", "active", "cancelled", "other"] as const;

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
  }),
  /** A line as first seen. */
  z.object({
    type: z.literal("line"),
    lineId: z.string(),
    kind: z.enum(["product", "plan", "unknown_plan"]),
    /** the first product line of those that the same plans insure (matching) */
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
  }),
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
  z.object({ type: z.literal("paid"), asOf: time }),
  /** Whether a paid order has something to pay again, after an edit. */
  z.object({ type: z.literal("balance"), isDue: z.boolean(), asOf: time }),
  z.object({ type: z.literal("cancelled"), asOf: time }),
  z.object({ type: z.literal("deleted"), asOf: time }),
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
    insured: z
      .object({
        lineId: z.string(),
        variantId: z.string(),
        title: z.string(),
        priceMinor: amount,
        currency: z.string(),
      })
      .nullable(),
    touchpoint: z.string().nullable(),
    consent: z.string().nullable(),
    /** what the check of the sale found; null: nothing */
    finding: z.enum(findings).nullable(),
    /** the number of the item whose cover and premium this one takes over, on the same line */
    replaces: z.int().positive().nullable(),
  }),

  // The insurer

  /** A contract was requested, or is about to be. */
  z.object({ type: z.literal("requested"), ...item, attempt: z.int().positive() }),
  /**
   * What the insurer answered. `not_done`: certainly nothing, so the request is sent again. `unclear`: a contract may
   * exist, and only a look-up tells.
   */
  z.object({
    type: z.literal("answered"),
    ...item,
    attempt: z.int().positive(),
    outcome: z.enum(["created", "refused", "not_done", "unclear"]),
    contractId: z.string().nullable(),
    message: z.string().nullable(),
  }),
  /** The insurer's list was searched. `isConclusive`: late enough that "not there" means "was never made". */
  z.object({
    type: z.literal("looked_up"),
    ...item,
    contractId: z.string().nullable(),
    isConclusive: z.boolean(),
  }),
  /** A contract as the insurer showed it; `item` is null where no item has it. */
  z.object({
    type: z.literal("contract"),
    contractId: z.string(),
    item: itemKey.nullable(),
    status: z.enum(contractStatuses),
    activatesOn: day.nullable(),
    expiresOn: day.nullable(),
  }),
  /** The order's cancellation was sent: the insurer cancels whole orders. */
  z.object({ type: z.literal("cancellation_requested"), attempt: z.int().positive() }),
  z.object({
    type: z.literal("cancellation_answered"),
    attempt: z.int().positive(),
    outcome: z.enum(["done", "refused", "unclear"]),
    message: z.string().nullable(),
  }),
  z.object({
    type: z.literal("sales_record"),
    outcome: z.enum(["recorded", "refused"]),
    message: z.string().nullable(),
  }),

  // The customer and staff

  /** A declaration of withdrawal. `mayHaveClaim`: a person looks for claims before the contract ends. */
  z.object({ type: z.literal("withdrew"), items: z.array(itemKey), mayHaveClaim: z.boolean() }),
  /** A person's answer to a question (questions.ts), and how much was at stake then. */
  z.object({
    type: z.literal("decided"),
    question: z.string(),
    items: z.array(itemKey),
    answer: z.enum([
      "issue",
      "end",
      "keep_insurance",
      "end_insurance",
      "premium_refunded",
      "premium_kept",
      "move",
      "seen",
    ]),
    amountMinor: amount,
    by: z.string(),
  }),
  /** The customer's details that the insurer needs: what is missing of them. Empty: nothing. */
  z.object({ type: z.literal("details_missing"), fields: z.array(z.string()) }),

  // Parasol

  z.object({ type: z.literal("refund_requested"), items: z.array(itemKey), amountMinor: amount }),
  z.object({ type: z.literal("fulfilled"), items: z.array(itemKey) }),
  z.object({ type: z.literal("mailed"), items: z.array(itemKey) }),
  /** Conclusions are drawn once and stay, so that later events cannot turn them around. */
  z.object({ type: z.literal("left"), ...item, by: z.enum(["refund", "edit"]) }),
  /** Its product left the order before it had a contract. */
  z.object({ type: z.literal("lost_product"), ...item }),
  /** It insures an item of another line of its pair now. */
  z.object({ type: z.literal("moved"), ...item, insuredLineId: z.string() }),
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
