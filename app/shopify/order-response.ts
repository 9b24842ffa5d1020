/** How the Admin API writes an order: which fields the query reads, and how the response is parsed. */
import { z } from "zod";
import { sumStoredMinor, toStoredMinorUnits } from "#app/platform/money.ts";
import { addOfferedTouchpoints } from "./line-properties.ts";
import { moment } from "./moment.ts";
import { itemCount, readOrderLines } from "./order-lines.ts";
import type { LineAmounts, ShopAddress, ShopOrder, ShopOrderLine } from "./order.ts";
import { isPaid } from "./payloads/orders.ts";

export const LINES = `#graphql
  fragment ParasolLines on LineItemConnection {
    nodes {
      id name sku quantity currentQuantity nonFulfillableQuantity
      product { id }
      variant { id }
      lineItemGroup { id }
      customAttributes { key value }
      originalUnitPriceSet { ...ParasolMoney }
      discountAllocations {
        allocatedAmountSet { ...ParasolMoney }
        discountApplication { targetSelection }
      }
    }
    pageInfo { hasNextPage endCursor }
  }
  fragment ParasolMoney on MoneyBag {
    shopMoney { amount currencyCode }
    presentmentMoney { amount currencyCode }
  }`;

export const ORDER = `#graphql
  fragment ParasolOrder on Order {
    id name processedAt updatedAt cancelledAt test currencyCode displayFinancialStatus paymentGatewayNames sourceName
    customerAcceptsMarketing email phone
    purchasingEntity { __typename }
    customAttributes { key value }
    billingAddress { ...ParasolAddress }
    shippingAddress { ...ParasolAddress }
    lineItems(first: 50) { ...ParasolLines }
  }
  fragment ParasolAddress on MailingAddress {
    firstName lastName company address1 address2 zip city countryCodeV2 phone
  }`;

/** `gid://shopify/Order/123` → `123` */
const gid = z
  .string()
  .regex(/^gid:\/\/shopify\/\w+\/\d+$/)
  .transform((value) => value.slice(value.lastIndexOf("/") + 1));
const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() || null);
const money = z.object({ amount: z.string(), currencyCode: z.string() });
const bag = z.object({ shopMoney: money, presentmentMoney: money });
const attributes = z
  .array(z.object({ key: z.string(), value: z.string().nullable() }))
  .transform((list) =>
    Object.fromEntries(list.flatMap(({ key, value }) => (value === null ? [] : [[key, value]]))),
  );
const line = z.object({
  id: gid,
  name: z.string(),
  sku: text,
  quantity: itemCount,
  currentQuantity: itemCount,
  product: z.object({ id: gid }).nullable(),
  variant: z.object({ id: gid }).nullable(),
  lineItemGroup: z.object({ id: z.string() }).nullable(),
  customAttributes: attributes,
  originalUnitPriceSet: bag,
  discountAllocations: z.array(
    z.object({ allocatedAmountSet: bag, discountApplication: z.object({ targetSelection: z.string() }) }),
  ),
});
/** A tip comes as a line: of no product, and of which nothing can be fulfilled though nothing was taken back. */
const tip = z
  .object({
    product: z.null(),
    variant: z.null(),
    quantity: z.int(),
    currentQuantity: z.int(),
    nonFulfillableQuantity: z.int(),
  })
  .refine(
    ({ quantity, currentQuantity, nonFulfillableQuantity }) =>
      nonFulfillableQuantity === quantity && currentQuantity === quantity,
  );
export const lineConnection = z.object({
  nodes: z.array(z.unknown()),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
});
const address = z
  .object({
    firstName: text,
    lastName: text,
    company: text,
    address1: text,
    address2: text,
    zip: text,
    city: text,
    countryCodeV2: text,
    phone: text,
  })
  .nullable()
  .transform((value): ShopAddress | null => {
    if (value === null) return null;
    const { countryCodeV2, ...rest } = value;
    return { ...rest, countryCode: countryCodeV2 };
  });
export const orderResponse = z.object({
  id: gid,
  name: z.string(),
  processedAt: moment,
  updatedAt: moment,
  cancelledAt: moment.nullable(),
  test: z.boolean(),
  currencyCode: z.string(),
  displayFinancialStatus: z.string().nullable(),
  paymentGatewayNames: z.array(z.string()),
  sourceName: text,
  customerAcceptsMarketing: z.boolean(),
  email: text,
  phone: text,
  /** null for guests, and where the app may not know a customer: a company is no customer */
  purchasingEntity: z.object({ __typename: z.string() }).nullable(),
  billingAddress: address,
  shippingAddress: address,
  customAttributes: attributes,
  lineItems: lineConnection,
});

/** @param nodes all of the order's lines */
export function toShopOrder(value: z.infer<typeof orderResponse>, nodes: readonly unknown[]): ShopOrder {
  const sold = nodes.filter((node) => !tip.safeParse(node).success);
  const { lines, unreadableLines } = readOrderLines(sold, (node) => readLine(line.parse(node)));
  return {
    id: value.id,
    name: value.name,
    createdAt: value.processedAt,
    updatedAt: value.updatedAt,
    paid: isPaid(value.displayFinancialStatus ?? ""),
    cancelledAt: value.cancelledAt,
    test: value.test,
    currency: value.currencyCode,
    gateways: value.paymentGatewayNames,
    sourceName: value.sourceName ?? "",
    business: value.purchasingEntity?.__typename === "PurchasingCompany",
    acceptsMarketing: value.customerAcceptsMarketing,
    email: value.email,
    phone: value.phone,
    // The platform gives it to apps with `read_customers` alone.
    customerId: null,
    customer: null,
    billingAddress: value.billingAddress,
    shippingAddress: value.shippingAddress,
    lines: addOfferedTouchpoints(lines, value.customAttributes),
    unreadableLines,
  };
}

function readLine(node: z.infer<typeof line>): ShopOrderLine {
  const amounts = (which: "shopMoney" | "presentmentMoney"): LineAmounts => {
    const { amount, currencyCode } = node.originalUnitPriceSet[which];
    return {
      currency: currencyCode,
      unitPriceMinor: toStoredMinorUnits(amount, currencyCode),
      discountsMinor: sumStoredMinor(
        node.discountAllocations.map(({ allocatedAmountSet }) =>
          toStoredMinorUnits(allocatedAmountSet[which].amount, currencyCode),
        ),
      ),
    };
  };
  const [inShop, paidIn] = [amounts("shopMoney"), amounts("presentmentMoney")];
  return {
    id: node.id,
    productId: node.product?.id ?? null,
    variantId: node.variant?.id ?? null,
    title: node.name,
    sku: node.sku,
    quantity: node.quantity,
    currentQuantity: node.currentQuantity,
    amounts: inShop.currency === paidIn.currency ? [inShop] : [inShop, paidIn],
    properties: node.customAttributes,
    groupId: node.lineItemGroup?.id ?? null,
    hasAimedDiscount: node.discountAllocations.some(
      ({ discountApplication }) => discountApplication.targetSelection !== "ALL",
    ),
  };
}
