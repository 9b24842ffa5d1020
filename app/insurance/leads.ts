import { z } from "zod";
import { toCappedMinorUnits } from "#app/platform/money.ts";
import { creationSender } from "./creation-forms.ts";
import { customerBody, variantBody, type NewCustomer, type NewVariant } from "./customer.ts";
import {
  amount,
  billing,
  centsOrUnits,
  currencyCode,
  dateOrNull,
  id,
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
      billing,
    })
    .transform((wire) => ({
      title: wire.title,
      termMonths: wire.term_length,
      price: wire.price,
      currencyCode: wire.currency_code,
      billing: wire.billing,
    })),
);

/** The product as the insurer names it, as far as it does: what cannot be read is not compared. */
const wireVariant = withMoney(
  z.object({
    title: text,
    price: orNull(amount).catch(null),
    currency_code: orNull(currencyCode).catch(null),
    reference_id: orNull(id).catch(null),
  }),
)
  .nullish()
  .catch(null);

/**
 * Spec, "Lead (insurance quote)", without what Parasol sent itself: customer, seller and bands. Its id and one link are
 * enough for a quote that can be used.
 */
export const wireLead = z
  .object({
    id,
    status: textOrNull,
    purchase_date: dateOrNull,
    expiration_date: dateOrNull,
    category_id: orNull(id),
    subscription_link: text,
    signature_link: textOrNull,
    charged_by: textOrNull,
    variant: wireVariant,
    // One that cannot be read is left out: the insurer's page shows it.
    offers: orNull(z.array(wireOffer.nullable().catch(null))),
  })
  .transform((wire) => ({
    id: wire.id,
    /** `active` and `expired` are known; more may come. */
    status: wire.status || "active",
    /** Purchase date of the order, ISO 8601, see parseDate; null: the insurer does not say. */
    purchaseDate: wire.purchase_date,
    /** ISO 8601, see parseDate; null: it does not expire. */
    expirationDate: wire.expiration_date,
    /** The category's name; null: the insurer does not say. */
    categoryId: wire.category_id,
    /** Hosted page on which the customer subscribes; "" where the merchant collects and the customer only signs. */
    subscriptionLink: wire.subscription_link,
    /** Public signature page, relevant when `chargedBy` is merchant; null when there is none. */
    signatureLink: wire.signature_link,
    /** Who collects the payment: `merchant`, or the insurer (the literal default of the specification). */
    chargedBy: wire.charged_by || "the service",
    variant: wire.variant ?? null,
    offers: readOffers((wire.offers ?? []).filter((offer) => offer !== null)),
  }));
export type Lead = z.output<typeof wireLead>;

function readOffers(offers: z.output<typeof wireOffer>[]) {
  const open = offers.map((offer) => ({ ...offer, bandMin: 0, bandMax: null }));
  const readAmounts = offerAmountsReader(open, null);
  return open.map((offer) => ({
    title: offer.title,
    termMonths: offer.termMonths,
    currencyCode: offer.currencyCode,
    billing: offer.billing,
    priceMinor: readAmounts(offer).priceMinor,
  }));
}

/** The product of the answer, in words, where it is another one than was requested; null: it is that one. */
export function otherProduct({ variant }: Pick<Lead, "variant">, requested: NewVariant): string | null {
  if (variant === null) return null;
  const { title, reference_id: reference, price, currency_code: currency } = variant;
  const isOtherReference = reference !== null && reference !== requested.referenceId;
  const isOtherPrice =
    price !== null &&
    (currency ?? requested.currencyCode) === requested.currencyCode &&
    toCappedMinorUnits(price, requested.currencyCode) !== requested.priceMinor &&
    // An echo in cents.
    Number(price) !== requested.priceMinor;
  if (!isOtherReference && !isOtherPrice) return null;
  return [title || reference, price === null ? null : `${price} ${currency ?? requested.currencyCode}`]
    .filter((part) => part !== null)
    .join(", ");
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
