/** Pure: requests to the insurance service, from what is kept of an order, and what its answers mean. */
import type { NewOrder } from "#app/insurance/orders.ts";
import type { NewPlan } from "#app/insurance/plans.ts";
import {
  type CustomerField,
  type InsuredCustomer,
  missingFields,
  toNewCustomer,
} from "#app/plans/ledger/customer.ts";
import type { Reason } from "#app/plans/ledger/unit-states.ts";

export interface UnitToCreate {
  offerReferenceId: string;
  insuredVariantId: string | null;
  insuredTitle: string | null;
  insuredPriceMinor: number | null;
  insuredCurrency: string | null;
}

export type NewPlanResult =
  { type: "complete"; plan: NewPlan } | { type: "incomplete"; reason: Reason; missing: CustomerField[] };

/**
 * The plan of a unit (spec, "Endpoints" note 2, single form), or what the order lacks for it.
 * @param needsPhone the service refuses contracts without a phone number
 */
export function toNewPlan(
  orderId: string,
  unit: UnitToCreate,
  customer: InsuredCustomer | null,
  needsPhone: boolean,
): NewPlanResult {
  if (customer === null) return { type: "incomplete", reason: "customer_erased", missing: [] };
  const insured = toNewCustomer(customer, needsPhone);
  if (insured === null)
    return {
      type: "incomplete",
      reason: "missing_customer_data",
      missing: missingFields(customer, needsPhone),
    };
  const { insuredVariantId, insuredTitle, insuredPriceMinor, insuredCurrency } = unit;
  if (insuredVariantId === null || insuredPriceMinor === null || insuredCurrency === null) {
    return { type: "incomplete", reason: "no_insured_line", missing: [] };
  }
  return {
    type: "complete",
    plan: {
      offerReferenceId: unit.offerReferenceId,
      orderReferenceId: orderId,
      variant: {
        referenceId: insuredVariantId,
        priceMinor: insuredPriceMinor,
        currencyCode: insuredCurrency,
        title: insuredTitle ?? "",
      },
      customer: insured,
    },
  };
}

export interface SalesRecord {
  orderId: string;
  purchasedAt: Date;
  paymentMethod: string;
  salesChannel: string;
  lines: {
    variantId: string | null;
    productId: string | null;
    lineId: string;
    priceMinor: number;
    currency: string;
    categoryId: string;
    insuranceOffered: boolean;
    insuranceSelected: boolean;
  }[];
}

/** The order as sales data (spec, "Order"). A line without a variant (a custom one) is known by its own id. */
export function toNewOrder(order: SalesRecord): NewOrder {
  return {
    orderReferenceId: order.orderId,
    purchasedAt: order.purchasedAt,
    paymentMethod: order.paymentMethod,
    salesChannel: order.salesChannel,
    lineItems: order.lines.map((line) => ({
      referenceId: line.variantId ?? line.lineId,
      priceMinor: line.priceMinor,
      currencyCode: line.currency,
      categoryId: line.categoryId,
      insuranceOffered: line.insuranceOffered,
      insuranceSelected: line.insuranceSelected,
    })),
  };
}

/** A whole word: letters on either side make it another one. */
const word = (pattern: string) => new RegExp(String.raw`(?<!\p{L})(?:${pattern})(?!\p{L})`, "iu");

/** Words for a phone number. Smartphones, iPhones and headphones are products; so are a "mobile" and a "portable". */
const phoneWords = word(
  String.raw`(?:tele)?phone[\s_-]*(?:numbers?)?|t[eé]l[eé]phon(?:e|ique)s?|t[eé]l` +
    String.raw`|(?:mobile|cell|portable)[\s_-]*(?:numbers?|nums?)` +
    String.raw`|num[eé]ros?\s(?:de\s)?(?:mobile|portable)`,
);

/**
 * Whether the service's message is about the customer's phone number.
 * @param productTitle of the insured product, whose words say nothing: "Mobile phone X" is a product, too
 */
export function isAboutPhone(serviceMessage: string, productTitle: string | null): boolean {
  return phoneWords.test(withoutTitle(serviceMessage, productTitle));
}

const fieldWords: readonly (readonly [CustomerField, RegExp])[] = [
  ["email", word(String.raw`e-?mails?|courriel`)],
  ["firstName", word(String.raw`first[\s_-]?name|pr[eé]nom`)],
  ["lastName", word(String.raw`last[\s_-]?name|surname|nom de famille`)],
  [
    "address1",
    word(
      String.raw`(?<!e-?mail\s)address(?:[\s_]?(?:line[\s_]?)?1)?|adresse(?!\s(?:e-?mail|[eé]lectronique))`,
    ),
  ],
  ["zip", word(String.raw`zip(?:[\s_-]?code)?|post(?:al)?[\s_-]?code|code\spostal`)],
  ["city", word("city|ville")],
  ["country", word(String.raw`country(?:[\s_-]?code)?|pays`)],
];
/** What a service says of a field that it does not take; without it a "country" may be where a product is not sold. */
const complaint = word(
  String.raw`invalid|not\s(?:a\s)?valid|incorrect|malformed|wrong|missing|required|blank|empty|too\s(?:long|short)|format|` +
    String.raw`(?:invalide|non\svalide|incorrecte?|erron[eé]e?|manquante?|obligatoire|requise?|vide|mal\sform[eé]e?)s?`,
);

/** The fields of the customer that a refusal is about; none where it is about something else. */
export function refusedFields(serviceMessage: string, productTitle: string | null): CustomerField[] {
  const message = withoutTitle(serviceMessage, productTitle);
  if (!complaint.test(message)) return [];
  const named = fieldWords.filter(([, words]) => words.test(message)).map(([field]) => field);
  return isAboutPhone(message, null) ? [...named, "phone"] : named;
}

function withoutTitle(serviceMessage: string, productTitle: string | null): string {
  const message = serviceMessage.normalize("NFC");
  const title = productTitle?.normalize("NFC").trim() ?? "";
  return title === "" ? message : message.replaceAll(title, " ");
}

/*
 * How long "not found" may only mean "not yet": a creation whose response was lost may still be carried out. A look-up
 * that finds nothing is conclusive after this time, measured from when its outcome became unknown: by then the request
 * had ended, or its worker was no longer allowed to send it. The time at which the worker announced the request is too
 * early: the request may have waited long in the service's queue.
 */

/** The service responded in full, if unreadably: it has decided, and only its own reads may lag behind. */
export const CONCLUSIVE_AFTER_RESPONSE_MS = 3_000;

export interface SentCreation {
  /** when the worker began to send it; null: it never did */
  sentAt: Date | null;
  /** when the unit came into its state, unknown */
  changedAt: Date;
  responded: boolean;
}

/**
 * From when on a look-up that does not find this unit's plan is conclusive.
 * @param delayMs for a creation that got no response at all
 */
export function conclusiveAt({ sentAt, changedAt, responded }: SentCreation, delayMs: number): Date {
  const delay = responded ? Math.min(CONCLUSIVE_AFTER_RESPONSE_MS, delayMs) : delayMs;
  return new Date(sentAt === null ? 0 : changedAt.getTime() + delay);
}
