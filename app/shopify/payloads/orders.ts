/**
 * Payloads of orders/paid, orders/cancelled and orders/fulfilled, with the whole order in the REST Admin API's shape.
 * refunds/create and orders/edited contain only the changes (order-changes.ts). Fields that the app does not need are
 * not checked.
 */
import { z } from "zod";
import { sumStoredMinor, toStoredMinorUnits } from "#app/platform/money.ts";
import {
  moment,
  parsePlatformJson,
  payloadAmount,
  payloadId,
  payloadMoneySet,
  readPayload,
} from "#app/shopify/payloads/payload.ts";
import { readRefund } from "#app/shopify/payloads/refunds.ts";
import { readRefunds } from "#app/shopify/refunds.ts";
import { addOfferedTouchpoints } from "#app/shopify/line-properties.ts";
import {
  addBundles,
  itemCount,
  type LineAmounts,
  readOrderLines,
  type ShopAddress,
  type ShopLineGroup,
  type ShopOrder,
  type ShopOrderLine,
} from "#app/shopify/order.ts";

const id = payloadId;
const text = z
  .string()
  .trim()
  .nullish()
  .transform((value) => (value === undefined || value === "" ? null : value));

const address = z
  .object({
    first_name: text,
    last_name: text,
    company: text,
    address1: text,
    address2: text,
    zip: text,
    city: text,
    country_code: text,
    phone: text,
  })
  .nullish()
  .transform((value): ShopAddress | null =>
    value
      ? {
          firstName: value.first_name,
          lastName: value.last_name,
          company: value.company,
          address1: value.address1,
          address2: value.address2,
          zip: value.zip,
          city: value.city,
          countryCode: value.country_code,
          phone: value.phone,
        }
      : null,
  );

const property = z.object({ name: z.string(), value: z.union([z.string(), z.number().transform(String)]) });

/**
 * `[{ name, value }]` with any JSON as a value. Empty ones, and those of old orders, may be an object by name. The
 * last value of a repeated name counts; an invalid property is ignored.
 */
const properties = z
  .union([
    z.array(z.unknown()),
    z
      .record(z.string(), z.unknown())
      .transform((byName) => Object.entries(byName).map(([name, value]) => ({ name, value }))),
  ])
  .nullish()
  .catch(null)
  .transform((list) =>
    Object.fromEntries(
      (list ?? []).flatMap((item) => {
        const { data } = property.safeParse(item);
        return data ? [[data.name, data.value]] : [];
      }),
    ),
  );

const line = z.object({
  id,
  product_id: id.nullish(),
  variant_id: id.nullish(),
  title: z.string().default(""),
  variant_title: text,
  name: text,
  sku: text,
  quantity: itemCount,
  current_quantity: itemCount.optional(),
  fulfillable_quantity: itemCount.nullish().catch(null),
  requires_shipping: z.boolean().nullish().catch(null),
  price: payloadAmount,
  price_set: payloadMoneySet.nullish(),
  properties,
  sales_line_item_group_id: id.nullish().catch(null),
  discount_allocations: z
    .array(
      z.object({
        amount: payloadAmount,
        amount_set: payloadMoneySet.nullish(),
      }),
    )
    .nullish()
    .transform((value) => value ?? []),
});

/** A nested line's or a bundle's. Shopify's documentation of 2026-10 names only its id on the lines. */
const lineGroup = z
  .object({
    id,
    title: z.string(),
    quantity: itemCount,
    product_id: id.nullish().catch(null),
    variant_id: id.nullish().catch(null),
  })
  .transform(({ product_id, variant_id, ...group }): ShopLineGroup => ({
    ...group,
    productId: product_id ?? null,
    variantId: variant_id ?? null,
  }));

/** A tip is a line. Only tips have this field, which may be null. */
const tip = z.object({ tip_payment_gateway: z.string().nullable() });

const order = z.object({
  id,
  name: z.string(),
  created_at: moment,
  updated_at: moment,
  processed_at: moment.nullish(),
  cancelled_at: moment.nullish(),
  currency: z.string().length(3),
  financial_status: z.string().nullish(),
  payment_gateway_names: z
    .array(z.string())
    .nullish()
    .transform((value) => value ?? []),
  source_name: text,
  company: z.unknown().optional(),
  email: text,
  contact_email: text,
  customer_locale: text.catch(null),
  phone: text,
  test: z.boolean().nullish(),
  buyer_accepts_marketing: z.boolean().nullish().catch(null),
  customer: z
    .object({
      id: id.nullish().catch(null),
      first_name: text,
      last_name: text,
      email: text,
      phone: text,
      email_marketing_consent: z.object({ state: text }).nullish().catch(null),
    })
    .nullish(),
  billing_address: address,
  shipping_address: address,
  note_attributes: properties,
  taxes_included: z.boolean().nullish().catch(null),
  // Shopify's limit is 500.
  line_items: z.array(z.unknown()).max(2_000),
  line_item_groups: z.array(z.unknown()).max(2_000).nullish().catch(null),
  refunds: z.array(z.unknown()).max(2_000).nullish().catch(null),
});

/** The order of orders/paid or orders/cancelled. @throws UnreadablePayload */
export function parseOrderPayload(body: string): ShopOrder {
  return readPayload(() => toOrder(order.parse(parsePlatformJson(body))));
}

function toOrder(value: z.infer<typeof order>): ShopOrder {
  const sold = value.line_items.filter((item) => !tip.safeParse(item).success);
  const { lines, unreadableLines } = readOrderLines(sold, (item) => readLine(line.parse(item), value));
  const groups = (value.line_item_groups ?? []).flatMap((group) => lineGroup.safeParse(group).data ?? []);
  return {
    id: value.id,
    name: value.name,
    createdAt: value.processed_at ?? value.created_at,
    updatedAt: value.updated_at,
    paid: isPaid(value.financial_status ?? ""),
    isPaidBack: isPaidBack(value.financial_status ?? ""),
    cancelledAt: value.cancelled_at ?? null,
    test: value.test ?? false,
    currency: value.currency,
    gateways: value.payment_gateway_names,
    sourceName: value.source_name ?? "",
    business: value.company !== null && value.company !== undefined,
    acceptsMarketing: acceptsMarketing(
      value.buyer_accepts_marketing,
      value.customer?.email_marketing_consent?.state,
    ),
    email: value.email ?? value.contact_email,
    phone: value.phone,
    language: value.customer_locale,
    customerId: value.customer?.id ?? null,
    customer: value.customer
      ? {
          firstName: value.customer.first_name,
          lastName: value.customer.last_name,
          email: value.customer.email,
          phone: value.customer.phone,
        }
      : null,
    billingAddress: value.billing_address,
    shippingAddress: value.shipping_address,
    lines: addOfferedTouchpoints(addBundles(lines, groups), value.note_attributes),
    unreadableLines,
    refunds: readRefunds(value.refunds ?? [], (refund) =>
      readRefund(refund, { currency: value.currency, taxesIncluded: value.taxes_included ?? null }),
    ),
  };
}

/**
 * Whether the buyer accepts marketing mails. The order contains the buyer's choice, the customer the state of the
 * address, and Shopify does not document which one wins. So one must agree and none may refuse.
 */
function acceptsMarketing(chosen: boolean | null | undefined, state: string | null | undefined): boolean {
  const isSubscribed = state?.toLowerCase() === "subscribed";
  return (chosen === true || isSubscribed) && chosen !== false && (isSubscribed || !state);
}

/** A paid order stays paid after later refunds. */
export function isPaid(financialStatus: string): boolean {
  return ["paid", "partially_refunded", "refunded"].includes(financialStatus.toLowerCase());
}

export const isPaidBack = (financialStatus: string): boolean => financialStatus.toLowerCase() === "refunded";

function readLine(
  item: z.infer<typeof line>,
  { currency }: Pick<z.infer<typeof order>, "currency">,
): ShopOrderLine {
  const currentQuantity = item.current_quantity ?? item.quantity;
  return {
    id: item.id,
    productId: item.product_id ?? null,
    variantId: item.variant_id ?? null,
    title: item.name ?? [item.title, item.variant_title].filter((part) => part !== null).join(" - "),
    sku: item.sku,
    quantity: item.quantity,
    currentQuantity,
    // Without this field no item counts as shipped.
    fulfilledQuantity: Math.max(0, currentQuantity - (item.fulfillable_quantity ?? currentQuantity)),
    requiresShipping: item.requires_shipping ?? true,
    amounts: readAmounts(item, currency),
    properties: item.properties,
    groupId: item.sales_line_item_group_id ?? null,
    bundle: null,
  };
}

function readAmounts(item: z.infer<typeof line>, shopCurrency: string): [LineAmounts, ...LineAmounts[]] {
  const inShop: LineAmounts = {
    currency: shopCurrency,
    unitPriceMinor: toStoredMinorUnits(item.price, shopCurrency),
    discountsMinor: sumStoredMinor(
      item.discount_allocations.map(({ amount }) => toStoredMinorUnits(amount, shopCurrency)),
    ),
  };
  const paidIn = item.price_set?.presentment_money;
  if (!paidIn || paidIn.currency_code === shopCurrency) return [inShop];
  const discounts = item.discount_allocations.map(({ amount_set }) => amount_set?.presentment_money);
  // Amounts in the customer's currency count only if all of them are known.
  if (discounts.some((discount) => !discount)) return [inShop];
  return [
    inShop,
    {
      currency: paidIn.currency_code,
      unitPriceMinor: toStoredMinorUnits(paidIn.amount, paidIn.currency_code),
      discountsMinor: sumStoredMinor(
        discounts.map((discount) => toStoredMinorUnits(discount?.amount ?? 0, paidIn.currency_code)),
      ),
    },
  ];
}
