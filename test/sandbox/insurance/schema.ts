/**
 * What the insurer takes, and the shapes of what it keeps, written from the specification. Not shared with the app's
 * client on purpose: each side is held against the document.
 */
import { z } from "zod";

const cents = z.int().nonnegative();
const currency = z.string().regex(/^[A-Z]{3}$/);
const url = z.string();

export const category = z.object({
  /** its name */
  id: z.string(),
  marketing_data: z.object({
    buttons: z.object({ link_text: z.string(), headline: z.string() }),
    modal: z.object({
      headline: z.string(),
      coverage_bullets_heading: z.string(),
      bullet_points: z.array(z.string()),
      link_text: z.string(),
      buy_text: z.string(),
      decline_text: z.string(),
      legal_text: z.string(),
      image: url,
      merchant_logo: url,
      marketing_page_url: url,
    }),
    cart: z.object({ simple_offer_button_text: z.string() }),
  }),
  legal_documents: z.object({ ipid_url: url, cg_url: url }),
});
export type Category = z.infer<typeof category>;

/** One reference of a store's catalogue: category, term and price band. */
export const reference = z.object({
  reference_id: z.string().min(1),
  contract_id: z.string(),
  category_id: z.string(),
  title: z.string(),
  /** Months. */
  term: z.int().positive(),
  price: cents,
  currency_code: z.string(),
  /** Cents, both inclusive. */
  price_band_min: z.int(),
  price_band_max: z.int(),
  billing: z.enum(["monthly", "annually"]),
  /** Offered for these products only, where it takes the place of the general offer of the same term; null: for all. */
  product_reference_ids: z.array(z.string()).nullable().default(null),
});
export type Reference = z.infer<typeof reference>;

/** Which fields may be left out is not shown; without a name and an e-mail address there is no contract. */
const newCustomer = z.object({
  email: z.email(),
  first_name: z.string().min(1),
  last_name: z.string().min(1),
  birth_date: z.string().optional(),
  phone: z
    .string()
    .regex(/^(?:\+[1-9][\d ]{6,18})?$/, "is not in international format")
    .optional(),
  address: z
    .object({
      city: z.string(),
      country: z.string(),
      zip_code: z.string(),
      address1: z.string(),
      address2: z.string(),
    })
    .partial()
    .optional(),
});
export type Customer = z.infer<typeof newCustomer>;
/** The price in currency units. */
const variant = z.object({
  reference_id: z.string().min(1),
  price: z.number().nonnegative(),
  currency_code: currency,
  title: z.string().min(1),
});
export type Variant = z.infer<typeof variant>;

export const newPlan = z.object({
  offer_reference_id: z.string().min(1),
  order_reference_id: z.string().min(1),
  variant,
  customer: newCustomer,
});
export type NewPlan = z.infer<typeof newPlan>;

const seller = z.object({ first_name: z.string(), last_name: z.string() });
export type Seller = z.infer<typeof seller>;

export const newLead = z.object({
  /** YYYY-MM-DD or day/month/year */
  purchase_date: z.string().min(1),
  category_id: z.string().min(1),
  /** "the service" is the specification's own word for the value. */
  charged_by: z.enum(["merchant", "the service"]).default("the service"),
  customer: newCustomer,
  variant,
  seller: seller.optional(),
});
export type NewLead = z.infer<typeof newLead>;

/** A claim as the control address takes it, and as the stand-in keeps it; moments in milliseconds. */
export const controlClaim = z.object({
  plan_id: z.string(),
  approval_status: z.enum(["approved", "refused", "pending"]).default("pending"),
  status: z.string().default("pending_documents"),
  claim_type: z.string().default("breakage"),
  filed_at: z.number(),
  closed_at: z.number().nullable().default(null),
  compensation_amount: cents.default(0),
});
export type ControlClaim = z.infer<typeof controlClaim>;

export const newOrder = z.object({
  order_reference_id: z.string().min(1),
  purchased_at: z.iso.datetime({ offset: true }),
  payment_method: z.string().min(1),
  sales_channel: z.string().min(1),
  line_items: z.array(
    z.object({
      reference_id: z.string(),
      price: cents,
      currency_code: currency,
      category_id: z.string(),
      insurance_offered: z.boolean(),
      insurance_selected: z.boolean(),
    }),
  ),
});
export type NewOrder = z.infer<typeof newOrder>;

/** A whole number in a query: digits and nothing else, so that an empty value is no zero. */
const wholeNumber = z.string().regex(/^\d+$/, "is not a whole number").transform(Number);

export const offersQuery = z.object({
  category_id: z.string().optional(),
  product_reference_id: z.string().optional(),
  /** cents */
  product_price: wholeNumber.optional(),
});

const pageNumber = wholeNumber.pipe(z.int().positive());
export const analyticsQuery = z.object({
  /** of the organisation */
  token: z.string(),
  start_date: z.iso.date().optional(),
  end_date: z.iso.date().optional(),
  external_ids: z.array(z.string()).default([]),
  page: pageNumber.default(1),
  per_page: pageNumber.default(25),
});
export type AnalyticsQuery = z.infer<typeof analyticsQuery>;
