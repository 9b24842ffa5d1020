/** What `/sandbox/…` takes. */
import { z } from "zod";
import { cancelReasons } from "./orders.ts";

const properties = z.array(z.object({ name: z.string(), value: z.string() })).optional();

const line = z.strictObject({
  variantId: z.string(),
  quantity: z.int().positive(),
  properties,
  discounts: z.array(z.int()).optional(),
  price: z.int().optional(),
  cartLineId: z.string().optional(),
  parentCartLineId: z.string().nullable().optional(),
  sellingPlan: z.strictObject({ id: z.string(), name: z.string() }).nullable().optional(),
});

const value = z.union([
  z.strictObject({ percentage: z.number().min(0).max(100) }),
  z.strictObject({ amount: z.int().min(0) }),
]);
export const discount = z.strictObject({
  code: z.string().nullable().default(null),
  title: z.string().default("Remise"),
  target: z.enum(["products", "order", "shipping"]),
  productIds: z.array(z.string()).nullable().default(null),
  value,
});

export const checkoutFields = z.strictObject({ phone: z.enum(["hidden", "optional", "required"]) });

const nullableText = z.string().nullable();

const address = z.strictObject({
  first_name: nullableText.default(null),
  last_name: nullableText.default(null),
  address1: nullableText.default(null),
  address2: nullableText.default(null),
  city: nullableText.default(null),
  zip: nullableText.default(null),
  country_code: nullableText.default(null),
  phone: nullableText.default(null),
  company: nullableText.default(null),
});

export const newOrder = z.strictObject({
  lines: z.array(line).min(1),
  email: nullableText.optional(),
  phone: nullableText.optional(),
  customer: z
    .strictObject({
      email: nullableText,
      first_name: nullableText,
      last_name: nullableText,
      phone: nullableText,
    })
    .nullable()
    .optional(),
  billingAddress: address.nullable().optional(),
  shippingAddress: address.nullable().optional(),
  noteAttributes: properties,
  gateway: z.string().optional(),
  sourceName: z.string().optional(),
  locale: z.string().optional(),
  shippingPrice: z.int().optional(),
  presentment: z
    .strictObject({ currency: z.string(), rate: z.string(), roundTo: z.int().positive().optional() })
    .nullable()
    .optional(),
  discounts: z.array(discount).optional(),
  tip: z.int().min(0).optional(),
  giftCard: z.int().min(0).optional(),
  createdAt: z.iso.datetime().optional(),
  company: z.strictObject({ id: z.string() }).nullable().optional(),
});

export const webhookBehaviour = z
  .strictObject({
    duplicates: z.int().min(0),
    dropShare: z.number().min(0).max(1),
    disorder: z.int().min(0),
    delayMs: z.number().min(0),
    secret: z.string().nullable(),
    timeoutMs: z.number().min(1),
    retryScheduleMs: z.array(z.number().min(0)),
    protectedCustomerData: z.boolean(),
    approvedForOrders: z.boolean(),
    withheldAs: z.enum(["error", "null"]),
    propertiesAs: z.enum(["list", "object"]),
    productsOfOrders: z.boolean(),
  })
  .partial();

export const cancellation = z
  .strictObject({
    reason: z.enum(cancelReasons),
    refund: z.boolean(),
    note: z.string(),
  })
  .partial();

export const refund = z
  .strictObject({
    lines: z.array(z.strictObject({ lineId: z.string(), quantity: z.int().positive() })),
    amount: z.int().min(0),
    shipping: z.boolean(),
    note: z.string(),
  })
  .partial();

export const orderEdit = z
  .strictObject({
    add: z.array(line),
    setQuantity: z.array(z.strictObject({ lineId: z.string(), quantity: z.int().min(0) })),
  })
  .partial();

export const compliance = z.strictObject({
  topic: z.enum(["customers/data_request", "customers/redact", "shop/redact"]),
  orderId: z.string().optional(),
});

export const theme = z.strictObject({
  blocks: z
    .record(
      z.string(),
      z.array(
        z.strictObject({ id: z.string(), handle: z.string(), settings: z.record(z.string(), z.unknown()) }),
      ),
    )
    .optional(),
  embeds: z
    .record(z.string(), z.strictObject({ on: z.boolean(), settings: z.record(z.string(), z.unknown()) }))
    .optional(),
});
