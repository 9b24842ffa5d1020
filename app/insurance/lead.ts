import { z } from "zod";
import { toCappedMinorUnits } from "#app/platform/money.ts";
import { customer, customerBody, type NewCustomer } from "./customer.ts";
import { date } from "./dates.ts";
import { amount, billing, currencyCode, id, minorUnits, text, textOrNull } from "./fields.ts";
import { termMonths } from "./term.ts";
import { variantBody, type NewVariant } from "./variant.ts";

/**
 * An amount whose unit the service leaves open. Leads are parsed with decimals kept as text (see `exactDecimals` in
 * send-once.server.ts), because `49.0` and `49` mean different units.
 */
const openAmount = z.union([z.int(), z.string().regex(/^-?\d+\.\d+$/, "not an amount")]);
type OpenAmount = z.infer<typeof openAmount>;

const leadOffer = z.object({
  title: z.string(),
  term_length: termMonths,
  price: openAmount,
  currency_code: currencyCode,
  price_band_min: openAmount,
  price_band_max: openAmount,
  billing,
});

const seller = z.object({ first_name: text, last_name: text });

/** Spec, "Lead (insurance quote)". All amounts become integer minor units, `price` becomes `price_minor`. */
export const lead = z
  .object({
    id,
    /** `active` and `expired` are known; more may come. */
    status: z.string(),
    /** Purchase date of the order, ISO 8601, see parseDate. */
    purchase_date: date,
    /** ISO 8601, see parseDate. */
    expiration_date: date,
    /** The category's name. */
    category_id: id,
    /** Hosted page on which the customer subscribes. */
    subscription_link: z.string(),
    /** Public signature page, relevant when `charged_by` is merchant; null when there is none. */
    signature_link: textOrNull,
    /** Who collects the payment: `merchant`, or the service (the literal default of the specification). */
    charged_by: z
      .string()
      .nullish()
      .transform((value) => value ?? "the service"),
    customer,
    variant: z
      .object({ title: z.string(), price: amount, currency_code: currencyCode, reference_id: id })
      .transform(({ price, ...rest }, context) => ({
        ...rest,
        /** Integer minor units. */
        price_minor: minorUnits(price, rest.currency_code, "price", context),
      })),
    offers: z.array(leadOffer),
    /** In-store seller who originated the quote. */
    seller: seller.nullish().transform((value) => value ?? null),
  })
  .transform((value) => ({
    ...value,
    offers: value.offers.map((offer) => inMinorUnits(offer, value.variant.price_minor)),
  }));
export type Lead = z.infer<typeof lead>;

/**
 * Spec, "Gaps": whether a lead offer's price is integer cents or a decimal amount is not shown. An integer is cents (as
 * declared), a number written with a decimal point is currency units (as in the sample). The band's unit is not shown
 * either: it is the one in which the band holds the insured product's price; cents when both or none fit.
 */
function inMinorUnits(offer: z.infer<typeof leadOffer>, productPriceMinor: number) {
  const units = (value: OpenAmount) => toCappedMinorUnits(value, offer.currency_code);
  const cents = (value: OpenAmount) => (typeof value === "number" ? value : units(value));
  const holds = (min: number, max: number) => min <= productPriceMinor && productPriceMinor <= max;
  const bandIn = (convert: (value: OpenAmount) => number) =>
    [convert(offer.price_band_min), convert(offer.price_band_max)] as const;
  const asUnits = bandIn(units);
  const asCents = bandIn(cents);
  const [min, max] = !holds(...asCents) && holds(...asUnits) ? asUnits : asCents;
  return {
    title: offer.title,
    /** Months. */
    term_length: offer.term_length,
    /** Integer minor units. */
    price_minor: cents(offer.price),
    currency_code: offer.currency_code,
    /** Lowest product price, minor units. */
    price_band_min: min,
    /** Highest product price, minor units. */
    price_band_max: max,
    billing: offer.billing,
  };
}

/** A lead to create. The request's shape is not shown: it is sent with the fields of the resource. */
export interface NewLead {
  /** `YYYY-MM-DD`, the purchase date of the order. */
  purchaseDate: string;
  /** The category's name. */
  categoryId: string;
  /** Left out: the service's default, which is the service itself. */
  chargedBy?: "merchant" | "the service";
  customer: NewCustomer;
  variant: NewVariant;
  seller?: { firstName: string; lastName: string };
}

/** The request body. */
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
