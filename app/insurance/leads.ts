import { z } from "zod";
import { toCappedMinorUnits } from "#app/platform/money.ts";
import { customer, customerBody, variantBody, type NewCustomer, type NewVariant } from "./customer.ts";
import {
  amount,
  billing,
  currencyCode,
  date,
  id,
  minorUnits,
  orNull,
  termMonths,
  text,
  textOrNull,
} from "./fields.ts";
import type { Send } from "./request.ts";
import { readObject } from "./response.ts";

/**
 * An amount whose item the insurer leaves open. Leads are parsed with decimals kept as text (`exactDecimals`), because
 * `49.0` and `49` mean different items.
 */
const openAmount = z.union([z.int(), z.string().regex(/^-?\d+\.\d+$/, "not an amount")]);
type OpenAmount = z.infer<typeof openAmount>;

const wireOffer = z.object({
  title: z.string(),
  term_length: termMonths,
  price: openAmount,
  currency_code: currencyCode,
  price_band_min: openAmount,
  price_band_max: openAmount,
  billing,
});

const wireVariant = z
  .object({ title: z.string(), price: amount, currency_code: currencyCode, reference_id: id })
  .transform((wire, context) => ({
    title: wire.title,
    /** Integer minor units. */
    priceMinor: minorUnits(wire.price, wire.currency_code, "price", context),
    currencyCode: wire.currency_code,
    referenceId: wire.reference_id,
  }));

const wireSeller = z
  .object({ first_name: text, last_name: text })
  .transform((wire) => ({ firstName: wire.first_name, lastName: wire.last_name }));

/** Spec, "Lead (insurance quote)". */
export const wireLead = z
  .object({
    id,
    status: z.string(),
    purchase_date: date,
    expiration_date: date,
    category_id: id,
    subscription_link: z.string(),
    signature_link: textOrNull,
    charged_by: orNull(z.string()),
    customer,
    variant: wireVariant,
    offers: z.array(wireOffer),
    seller: orNull(wireSeller),
  })
  .transform((wire) => ({
    id: wire.id,
    /** `active` and `expired` are known; more may come. */
    status: wire.status,
    /** Purchase date of the order, ISO 8601, see parseDate. */
    purchaseDate: wire.purchase_date,
    /** ISO 8601, see parseDate. */
    expirationDate: wire.expiration_date,
    /** The category's name. */
    categoryId: wire.category_id,
    /** Hosted page on which the customer subscribes. */
    subscriptionLink: wire.subscription_link,
    /** Public signature page, relevant when `chargedBy` is merchant; null when there is none. */
    signatureLink: wire.signature_link,
    /** Who collects the payment: `merchant`, or the insurer (the literal default of the specification). */
    chargedBy: wire.charged_by ?? "the service",
    customer: wire.customer,
    variant: wire.variant,
    offers: leadOffers(wire.offers, wire.variant.priceMinor),
    /** In-store seller who originated the quote. */
    seller: wire.seller,
  }));
export type Lead = z.output<typeof wireLead>;

type WireOffer = z.infer<typeof wireOffer>;

/**
 * Spec, "Gaps": whether a lead offer's price is integer cents or a decimal amount is not shown. All prices of a lead are
 * currency units (as in the sample) where one of them is written with a decimal point, because `49.00` may be sent as
 * `49`; else they are cents (as declared).
 */
function leadOffers(wire: WireOffer[], productPriceMinor: number) {
  const isInUnits = wire.some(({ price }) => typeof price === "string");
  return wire.map((offer) => leadOffer(offer, isInUnits, productPriceMinor));
}

/**
 * The band's unit is not shown either: it is the one in which the band holds the insured product's price; cents when both
 * or none fit.
 */
function leadOffer(wire: WireOffer, isInUnits: boolean, productPriceMinor: number) {
  const units = (value: OpenAmount) => toCappedMinorUnits(value, wire.currency_code);
  const cents = (value: OpenAmount) => (typeof value === "number" ? value : units(value));
  const holds = (min: number, max: number) => min <= productPriceMinor && productPriceMinor <= max;
  const bandIn = (convert: (value: OpenAmount) => number) =>
    [convert(wire.price_band_min), convert(wire.price_band_max)] as const;
  const asUnits = bandIn(units);
  const asCents = bandIn(cents);
  const [min, max] = !holds(...asCents) && holds(...asUnits) ? asUnits : asCents;
  return {
    title: wire.title,
    termMonths: wire.term_length,
    /** Integer minor units. */
    priceMinor: isInUnits ? units(wire.price) : cents(wire.price),
    currencyCode: wire.currency_code,
    /** Lowest product price, minor units. */
    bandMinMinor: min,
    /** Highest product price, minor units. */
    bandMaxMinor: max,
    billing: wire.billing,
  };
}

/** A lead to create. The request's shape is not shown: it is sent with the fields of the resource. */
export interface NewLead {
  /** `YYYY-MM-DD`, the purchase date of the order. */
  purchaseDate: string;
  /** The category's name. */
  categoryId: string;
  /** Left out: the insurer's default, which is the insurer itself. */
  chargedBy?: "merchant" | "the service";
  customer: NewCustomer;
  variant: NewVariant;
  seller?: { firstName: string; lastName: string };
}

export function leadBody(value: NewLead) {
  return {
    purchase_date: value.purchaseDate,
    category_id: value.categoryId,
    charged_by: value.chargedBy,
    customer: customerBody(value.customer),
    variant: variantBody(value.variant),
    seller: value.seller && { first_name: value.seller.firstName, last_name: value.seller.lastName },
  };
}

export function leads(send: Send, store: string) {
  return {
    /** Endpoint 6. @throws UnknownOutcome when the lead may exist */
    create: (lead: NewLead): Promise<Lead> =>
      send({
        method: "POST",
        endpoint: "leads",
        path: `${store}/leads`,
        body: leadBody(lead),
        personal: [lead.customer, lead.seller],
        read: readObject(wireLead, ["leads", "lead"]),
        exactDecimals: true,
      }),
  };
}
