import { z } from "zod";
import { creationSender } from "./creation-forms.ts";
import { customer, customerBody, variantBody, type NewCustomer, type NewVariant } from "./customer.ts";
import {
  amount,
  billing,
  centsOrUnits,
  currencyCode,
  date,
  id,
  minorUnits,
  orNull,
  termMonths,
  text,
  textOrNull,
  withMoney,
} from "./fields.ts";
import { offerAmountsReader } from "./offer-amounts.ts";
import type { Account, Send } from "./request.ts";
import { readObject } from "./response.ts";

const wireOffer = withMoney(
  z
    .object({
      title: text,
      term_length: termMonths,
      // Leads are parsed with decimals kept as text (`exactDecimals`): `49.0` and `49` are different amounts.
      price: centsOrUnits,
      currency_code: currencyCode,
      price_band_min: orNull(centsOrUnits),
      price_band_max: orNull(centsOrUnits),
      billing,
    })
    .transform((wire) => ({
      title: wire.title,
      termMonths: wire.term_length,
      price: wire.price,
      currencyCode: wire.currency_code,
      bandMin: wire.price_band_min ?? 0,
      bandMax: wire.price_band_max,
      billing: wire.billing,
    })),
);

const wireVariant = withMoney(
  z
    .object({ title: z.string(), price: amount, currency_code: currencyCode, reference_id: id })
    .transform((wire, context) => ({
      title: wire.title,
      /** Integer minor units. */
      priceMinor: minorUnits(wire.price, wire.currency_code, "price", context),
      currencyCode: wire.currency_code,
      referenceId: wire.reference_id,
    })),
);

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
    offers: readOffers(wire.offers, wire.variant.priceMinor),
    /** In-store seller who originated the quote. */
    seller: wire.seller,
  }));
export type Lead = z.output<typeof wireLead>;

function readOffers(offers: z.output<typeof wireOffer>[], productPriceMinor: number) {
  const readAmounts = offerAmountsReader(offers, productPriceMinor);
  return offers.map((offer) => ({
    title: offer.title,
    termMonths: offer.termMonths,
    currencyCode: offer.currencyCode,
    billing: offer.billing,
    ...readAmounts(offer),
  }));
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

export function leads(send: Send, store: string, account: Account) {
  const sendCreation = creationSender(send, account, "leads");
  return {
    /** Endpoint 6. @throws UnknownOutcome when the lead may exist */
    create: (lead: NewLead): Promise<Lead> =>
      sendCreation({
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
