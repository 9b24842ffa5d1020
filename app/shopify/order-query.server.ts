/**
 * Orders from the Admin API: one as it is now, or all that changed in a period. Refund and edit webhooks carry only
 * what changed, and webhooks get lost.
 */
import { z } from "zod";
import { toStoredMinorUnits } from "#app/platform/money.ts";
import { AccessDenied, CostExceeded } from "./errors.ts";
import { createAdminClient } from "./graphql.server.ts";
import type { AdminClient, AdminClientOptions } from "./graphql.server.ts";
import { addOfferedTouchpoints } from "./line-properties.ts";
import { moment } from "./moment.ts";
import { pieces, readOrderLines } from "./order-lines.ts";
import type { LineAmounts, ShopAddress, ShopOrder, ShopOrderLine } from "./order.ts";
import { isPaid } from "./payloads/orders.ts";

const LINES = `#graphql
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

const ORDER = `#graphql
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
  quantity: pieces,
  currentQuantity: pieces,
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
const lineConnection = z.object({
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
const order = z.object({
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

/**
 * The order as it is now; null where the shop has none.
 * @throws AdminRefused, AdminUnavailable, NoAccess
 */
export async function fetchOrder(
  shop: string,
  orderId: string,
  options: Pick<AdminClientOptions, "isBackground"> = {},
): Promise<ShopOrder | null> {
  // The queue retries for longer, and its slots are few.
  const client = createAdminClient(shop, { attempts: 2, ...options });
  const { data, denied } = await client.requestAllowed({
    query: `${LINES} ${ORDER} query ParasolOrder($id: ID!) { order(id: $id) { ...ParasolOrder } }`,
    variables: { id: `gid://shopify/Order/${orderId}` },
    schema: z.object({ order: order.nullable() }),
    requestedCost: ORDER_COST,
  });
  if (data.order === null && denied.length > 0) {
    const context = { shop, operation: "ParasolOrder", requestId: null };
    throw new AccessDenied("the app is not given orders", context);
  }
  return data.order && withAllLines(client, data.order);
}

/** Requested cost of an order with its first lines, and of a page of 25 orders, by the platform's rules. */
export const ORDER_COST = 109;
export const PAGE_COST = 712;
/** Orders of a page, unless that costs too much. */
const PAGE_SIZE = 25;

export interface OrderPage {
  orders: ShopOrder[];
  /** where the next page starts; null after the last */
  next: string | null;
  /** how many orders the next page had better ask for */
  size: number;
}

/**
 * Orders by their last change, one page at a time. A page whose cost the platform refuses is asked for again at half
 * the size.
 * @param query in the platform's search syntax, e.g. `updated_at:>='2026-01-01T00:00:00Z'`
 * @throws AccessDenied, AdminRefused, AdminUnavailable, NoAccess
 */
export async function fetchOrders(
  shop: string,
  query: string,
  after: string | null,
  { size = PAGE_SIZE, signal }: { size?: number; signal?: AbortSignal } = {},
): Promise<OrderPage> {
  const client = createAdminClient(shop, { signal });
  try {
    const { data } = await client.requestAllowed({
      query: `${LINES} ${ORDER} query ParasolOrders($query: String!, $after: String, $size: Int!) {
        orders(first: $size, query: $query, after: $after, sortKey: UPDATED_AT) {
          nodes { ...ParasolOrder }
          pageInfo { hasNextPage endCursor }
        } }`,
      variables: { query, after, size },
      schema: z.object({
        orders: z.object({ nodes: z.array(order), pageInfo: lineConnection.shape.pageInfo }),
      }),
      requestedCost: PAGE_COST,
    });
    const { nodes, pageInfo } = data.orders;
    const orders: ShopOrder[] = [];
    for (const node of nodes) orders.push(await withAllLines(client, node));
    const next = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    return { orders, next, size };
  } catch (error) {
    if (!(error instanceof CostExceeded) || size === 1) throw error;
    return fetchOrders(shop, query, after, { size: Math.floor(size / 2), signal });
  }
}

/** Counts the orders that a query finds. @param query as for `fetchOrders` */
export async function countOrders(shop: string, query: string): Promise<number> {
  const { ordersCount } = await createAdminClient(shop).request({
    query: `query ParasolOrdersCount($query: String!) { ordersCount(query: $query, limit: null) { count } }`,
    variables: { query },
    schema: z.object({ ordersCount: z.object({ count: z.int() }).nullable() }),
  });
  return ordersCount?.count ?? 0;
}

/** Fetches the rest of an order's lines, where there are more than one page. */
async function withAllLines(client: AdminClient, value: z.infer<typeof order>): Promise<ShopOrder> {
  const nodes = [...value.lineItems.nodes];
  let { hasNextPage, endCursor } = value.lineItems.pageInfo;
  while (hasNextPage) {
    const { order: more } = await client.request({
      query: `${LINES} query ParasolOrderLines($id: ID!, $after: String) {
        order(id: $id) { lineItems(first: 250, after: $after) { ...ParasolLines } } }`,
      variables: { id: `gid://shopify/Order/${value.id}`, after: endCursor },
      schema: z.object({ order: z.object({ lineItems: lineConnection }) }),
    });
    nodes.push(...more.lineItems.nodes);
    ({ hasNextPage, endCursor } = more.lineItems.pageInfo);
  }
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
      discountsMinor: node.discountAllocations.reduce(
        (sum, { allocatedAmountSet }) =>
          sum + toStoredMinorUnits(allocatedAmountSet[which].amount, currencyCode),
        0,
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
