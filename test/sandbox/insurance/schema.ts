/**
 * The service's wire format, written from the specification. The same schemas check what arrives and describe the
 * service in OpenAPI. They are not shared with the app's client on purpose: each side is held against the document.
 */
import { z } from "@hono/zod-openapi";

const cents = z.int().nonnegative();
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .openapi({ example: "EUR" });
/** Of Plan, Lead and Claim: the format is not shown, samples use day/month/year; the control address can change it. */
const day = z.string().openapi({ example: "31/03/2026" });
const isoDay = z.iso.date().openapi({ example: "2026-03-31" });
const billing = z.enum(["monthly", "annually"]);
const months = z.int().positive().openapi({ example: 24 });

export const category = z
  .object({
    id: z.string().openapi({ description: "Category name", example: "Smartphone casse et vol" }),
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
        image: z.string().openapi({ description: "URL" }),
        merchant_logo: z.string().openapi({ description: "URL" }),
        marketing_page_url: z.string().openapi({ description: "URL" }),
      }),
      cart: z.object({ simple_offer_button_text: z.string() }),
    }),
    legal_documents: z.object({
      ipid_url: z.string().openapi({ description: "URL of the IPID document" }),
      cg_url: z.string().openapi({ description: "URL of the general conditions document" }),
    }),
  })
  .openapi("Category");
export type Category = z.infer<typeof category>;

export const offer = z
  .object({
    reference_id: z
      .string()
      .openapi({ description: "The value added to the shop cart", example: "SMA-CV-24-05" }),
    contract_id: z.string().openapi({ description: "Contract identifier" }),
    term_length: z.string().openapi({ description: "A number followed by a unit word", example: "24 mois" }),
    price: cents.openapi({ description: "Euro cents", example: 8990 }),
    currency_code: currency,
    price_band_min: cents.openapi({ description: "Lowest product price, cents", example: 40000 }),
    price_band_max: cents.openapi({ description: "Highest product price, cents", example: 49999 }),
    billing,
    title: z.string(),
    category_id: z.string().openapi({ description: "Category name" }),
    category,
  })
  .openapi("Offer");

const address = z.object({
  city: z.string(),
  country: z.string(),
  zip_code: z.string(),
  address1: z.string(),
  address2: z.string().optional(),
});

const customer = z
  .object({
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    birth_date: z.string().optional(),
    phone: z.string().optional().openapi({ description: "International format", example: "+33612345678" }),
    address: address.partial().optional(),
  })
  .openapi("Customer");
export type Customer = z.infer<typeof customer>;

export const plan = z
  .object({
    id: z.string().openapi({ description: "Contract number" }),
    order_reference_id: z.string(),
    offer_reference_id: z.string(),
    status: z.string().openapi({ description: "active, cancelled", example: "active" }),
    purchase_date: day,
    title: z.string(),
    term_length: months,
    price: z.number().openapi({ description: "Contract price, currency units", example: 89.9 }),
    currency_code: currency,
    customer,
  })
  .openapi("Plan");

export const createdPlan = z
  .object({ contract_id: z.string(), status: z.string(), activation_date: day, expiration_date: day })
  .openapi("CreatedPlan");

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
  address: address.partial().optional(),
});
const variant = z.object({
  reference_id: z.string().min(1),
  price: z.number().nonnegative().openapi({ description: "Currency units", example: 449 }),
  currency_code: currency,
  title: z.string().min(1),
});

export const newPlan = z
  .object({
    offer_reference_id: z.string().min(1),
    order_reference_id: z.string().min(1),
    variant,
    customer: newCustomer,
  })
  .openapi("NewPlan");
export type NewPlan = z.infer<typeof newPlan>;

const seller = z.object({ first_name: z.string(), last_name: z.string() });
export type Seller = z.infer<typeof seller>;
/** "the service" is the specification's own word for the value. */
const chargedBy = z.enum(["merchant", "the service"]);

export const lead = z
  .object({
    id: z.string(),
    status: z.string().openapi({ description: "active, expired", example: "active" }),
    purchase_date: day,
    expiration_date: day,
    category_id: z.string(),
    subscription_link: z.string().openapi({ description: "Hosted page on which the customer subscribes" }),
    signature_link: z.string(),
    charged_by: chargedBy,
    customer,
    variant,
    offers: z.array(
      z.object({
        title: z.string(),
        term_length: months,
        price: z.number().openapi({ description: "Declared as euro cents; the sample shows decimal values" }),
        currency_code: currency,
        price_band_min: z.number(),
        price_band_max: z.number(),
        billing,
      }),
    ),
    seller: seller.optional(),
  })
  .openapi("Lead");

export const newLead = z
  .object({
    purchase_date: z.string().min(1).openapi({ description: "YYYY-MM-DD or day/month/year" }),
    category_id: z.string().min(1),
    charged_by: chargedBy.default("the service"),
    customer: newCustomer,
    variant,
    seller: seller.optional(),
  })
  .openapi("NewLead");
export type NewLead = z.infer<typeof newLead>;

export const claim = z
  .object({
    id: z.string(),
    approval_status: z.enum(["approved", "refused", "pending"]),
    status: z.string().openapi({ description: "Open-ended", example: "pending_repairs" }),
    claim_type: z.string().openapi({ description: "Open-ended", example: "breakage" }),
    customer,
    plan_id: z.string(),
    filed_date: day,
    closed_date: day.nullable(),
    compensation_amount: cents.openapi({ description: "Cents", example: 120000 }),
    compensation_currency_code: currency,
  })
  .openapi("Claim");

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

export const newOrder = z
  .object({
    order_reference_id: z.string().min(1),
    purchased_at: z.iso.datetime({ offset: true }),
    payment_method: z.string().min(1).openapi({ example: "credit_card" }),
    sales_channel: z.string().min(1).openapi({ example: "online" }),
    line_items: z.array(
      z.object({
        reference_id: z.string(),
        price: cents.openapi({ description: "Cents" }),
        currency_code: currency,
        category_id: z.string(),
        insurance_offered: z.boolean(),
        insurance_selected: z.boolean(),
      }),
    ),
  })
  .openapi("Order");

export const orderState = z
  .object({ order_reference_id: z.string(), status: z.enum(["recorded", "cancelled"]) })
  .openapi("OrderState");

export const sale = z
  .object({
    id: z.string(),
    status: z.string(),
    cancellation_date: isoDay.nullable(),
    monthly: z.boolean(),
    date: isoDay,
    store: z.string(),
    store_id: z.int(),
    store_external_id: z.string(),
    product_reference_id: z.string(),
    category: z.string(),
    price: z.number(),
    seller: z.string(),
    front_eur: z.number().nullable(),
    air_eur: z.number().nullable(),
  })
  .openapi("Sale");
export type Sale = z.infer<typeof sale>;

export const commission = z
  .object({
    id: z.string(),
    date: isoDay,
    store: z.string(),
    store_id: z.int(),
    store_external_id: z.string(),
    amount: z.number(),
    price: z.number(),
    plan_sale_id: z.string(),
    monthly: z.boolean(),
    billing_type: z.enum(["collected", "refunded"]),
    type: z.enum(["front", "air"]),
  })
  .openapi("Commission");
export type Commission = z.infer<typeof commission>;

/** A whole number in a query: digits and nothing else, so that an empty value is no zero. */
export const wholeNumber = z.string().regex(/^\d+$/, "is not a whole number").transform(Number);

const externalIds = z.union([z.string().transform((value) => [value]), z.array(z.string())]).optional();
export const analyticsQuery = z.object({
  token: z.string().openapi({ description: "Unique identifier of the organisation" }),
  start_date: isoDay.optional(),
  end_date: isoDay.optional(),
  external_ids: externalIds,
  "external_ids[]": externalIds,
  page: wholeNumber.pipe(z.int().positive()).default(1).openapi({ type: "integer", default: 1 }),
  per_page: wholeNumber.pipe(z.int().positive()).default(25).openapi({ type: "integer", default: 25 }),
});
export type AnalyticsQuery = z.infer<typeof analyticsQuery>;

/** The body of a refusal. Its shape is not shown: this is the stand-in's choice. */
export const problem = z
  .object({
    error: z.string().openapi({ example: "invalid" }),
    message: z.string(),
    fields: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  })
  .openapi("Problem");

/**
 * A list in every wrapping that the control address can choose (the specification shows none).
 * @param name the resource's plural name
 */
export function listOf<T extends z.ZodType>(item: T, name: string) {
  const items = z.array(item);
  const under = (key: string) => z.object({ [key]: items });
  return z.union([
    items,
    under("data"),
    under("items"),
    under("results"),
    under("records"),
    under(name),
    z.object({ data: under(name) }),
  ]);
}

/**
 * One object in every wrapping that the control address can choose.
 * @param name the resource's name in the singular
 */
export function objectOf<T extends z.ZodType>(item: T, name: string) {
  return z.union([item, z.object({ data: item }), z.object({ [name]: item }), z.array(item).length(1)]);
}

/** What was created, wrapped as the request was: the forms of several are not shown. */
export function createdAs<T extends z.ZodType>(item: T, name: string, plural: string) {
  return z.union([objectOf(item, name), z.array(item), z.object({ [plural]: z.array(item) })]);
}

/** One or several to be created: the single form is documented, the forms of several are not shown. */
export function oneOrMany<T extends z.ZodType>(item: T, name: string) {
  const items = z.array(item).min(1);
  return z.union([
    item.transform((one) => ({ form: "one" as const, items: [one] })),
    items.transform((many) => ({ form: "array" as const, items: many })),
    z
      .object({ [name]: items })
      .transform((many) => ({ form: "object" as const, items: Object.values(many).flat() })),
  ]);
}

/** The issues of what was sent; of a form that fits none, those of the form that it comes closest to. */
export function fieldProblems(issues: z.core.$ZodIssue[]): { field: string; message: string }[] {
  return issues.flatMap((issue) => {
    if (issue.code !== "invalid_union")
      return [{ field: issue.path.map(String).join("."), message: issue.message }];
    const depth = (branch: z.core.$ZodIssue[]) => Math.max(0, ...branch.map(({ path }) => path.length));
    const [closest] = issue.errors.toSorted((a, b) => depth(b) - depth(a));
    return fieldProblems(closest ?? []);
  });
}
