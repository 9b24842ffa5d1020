/**
 * Reads orders from the Admin API: one order, or all that changed in a period. Refund and edit webhooks contain only
 * the changes, and webhooks can be lost.
 */
import { sumStoredMinor, toStoredMinorUnits } from "#app/platform/money.ts";
import { AccessDenied, CostExceeded } from "./errors.ts";
import { gid, numericId } from "./gid.ts";
import { type AdminClient, type AdminClientOptions, createAdminClient } from "./graphql.server.ts";
import { addOfferedTouchpoints } from "./line-properties.ts";
import {
  itemCount,
  type LineAmounts,
  readOrderLines,
  type ShopAddress,
  type ShopOrder,
  type ShopOrderLine,
} from "./order.ts";
import { isPaid, isPaidBack } from "./payloads/orders.ts";
import { moment } from "./payloads/payload.ts";
import type {
  ParasolAddressFragment,
  ParasolLinesFragment,
  ParasolOrderFragment,
  ParasolOrderLinesQuery,
} from "./types/admin.generated.d.ts";

/**
 * The current order; null if the shop has no such order.
 * @throws AdminRefused, AdminUnavailable, NoAccess
 */
export async function fetchOrder(
  shop: string,
  orderId: string,
  options: Pick<AdminClientOptions, "isBackground"> = {},
): Promise<ShopOrder | null> {
  // Few attempts: the queue retries for longer, and a waiting job blocks a worker slot.
  const client = createAdminClient(shop, { attempts: 2, ...options });
  const { data, denied } = await client.requestAllowed(
    `#graphql
    query ParasolOrder($id: ID!) { order(id: $id) { ...ParasolOrder } }
    ${ORDER} ${LINES}`,
    { variables: { id: gid("Order", orderId) }, requestedCost: ORDER_COST },
  );
  if (!data.order && denied.length > 0) {
    const context = { shop, operation: "ParasolOrder", requestId: null };
    throw new AccessDenied("the app is not given orders", context);
  }
  return data.order ? withAllLines(client, data.order) : null;
}

/** Requested cost of an order with its first lines, by Shopify's rules. */
export const ORDER_COST = 101;
export const PAGE_COST = 660;
/** Orders per page, unless that exceeds the cost limit. */
const PAGE_SIZE = 25;

interface OrderPage {
  orders: ShopOrder[];
  /** cursor of the next page; null after the last */
  next: string | null;
  /** the suggested size of the next page */
  size: number;
}

/**
 * Orders by their last change, page by page. A page whose cost Shopify refuses is requested again at half the size.
 * @param query in Shopify's search syntax, e.g. `updated_at:>='2026-01-01T00:00:00Z'`
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
    const { data } = await client.requestAllowed(
      `#graphql
      query ParasolOrders($query: String!, $after: String, $size: Int!) {
        orders(first: $size, query: $query, after: $after, sortKey: UPDATED_AT) {
          nodes { ...ParasolOrder }
          pageInfo { hasNextPage endCursor }
        } }
      ${ORDER} ${LINES}`,
      { variables: { query, after, size }, requestedCost: PAGE_COST },
    );
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

/**
 * The order of a checkout; null: it does not exist, or Shopify's search does not have it yet.
 * @param token of letters and digits
 * @throws AdminRefused, AdminUnavailable, NoAccess
 */
export async function findOrderOfCheckout(
  shop: string,
  token: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const { orders } = await createAdminClient(shop, { attempts: 2, signal }).request(
    `#graphql
    query ParasolOrderOfCheckout($query: String!) {
      orders(first: 1, query: $query) { nodes { id checkoutToken } } }`,
    { variables: { query: `checkout_token:${token}` } },
  );
  // A search that ignored the filter would return the order of another buyer.
  const order = orders.nodes.find(({ checkoutToken }) => checkoutToken === token);
  return order ? numericId(order.id) : null;
}

/** Counts the orders that match a query. @param query like `fetchOrders` */
export async function countOrders(shop: string, query: string): Promise<number> {
  const { ordersCount } = await createAdminClient(shop).request(
    `#graphql
    query ParasolOrdersCount($query: String!) { ordersCount(query: $query, limit: null) { count } }`,
    { variables: { query } },
  );
  return ordersCount?.count ?? 0;
}

/** Reads the remaining lines of an order with more than one page. */
async function withAllLines(client: AdminClient, value: ParasolOrderFragment): Promise<ShopOrder> {
  const nodes = [...value.lineItems.nodes];
  let { hasNextPage, endCursor } = value.lineItems.pageInfo;
  while (hasNextPage) {
    const { order: more }: ParasolOrderLinesQuery = await client.request(
      `#graphql
      query ParasolOrderLines($id: ID!, $after: String) {
        order(id: $id) { lineItems(first: 250, after: $after) { ...ParasolLines } } }
      ${LINES}`,
      { variables: { id: value.id, after: endCursor } },
    );
    if (!more) break;
    nodes.push(...more.lineItems.nodes);
    ({ hasNextPage, endCursor } = more.lineItems.pageInfo);
  }
  return toShopOrder(value, nodes);
}

const LINES = `#graphql
  fragment ParasolLines on LineItemConnection {
    nodes {
      id name sku quantity currentQuantity unfulfilledQuantity nonFulfillableQuantity requiresShipping
      product { id }
      variant { id }
      lineItemGroup { id }
      customAttributes { key value }
      originalUnitPriceSet { ...ParasolMoney }
      discountAllocations {
        allocatedAmountSet { ...ParasolMoney }
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
    customerAcceptsMarketing customerLocale email phone
    purchasingEntity { __typename }
    customAttributes { key value }
    billingAddress { ...ParasolAddress }
    shippingAddress { ...ParasolAddress }
    lineItems(first: 50) { ...ParasolLines }
  }
  fragment ParasolAddress on MailingAddress {
    firstName lastName company address1 address2 zip city countryCodeV2 phone
  }`;

type LineNode = ParasolLinesFragment["nodes"][number];

const text = (value: string | null | undefined): string | null => value?.trim() || null;

/** A tip is a line without a product. It cannot be fulfilled although nothing was removed. */
const isTip = ({ product, variant, quantity, currentQuantity, nonFulfillableQuantity }: LineNode): boolean =>
  !product && !variant && nonFulfillableQuantity === quantity && currentQuantity === quantity;

const attributes = (list: ParasolOrderFragment["customAttributes"]): Record<string, string> =>
  Object.fromEntries(list.flatMap(({ key, value }) => (value == null ? [] : [[key, value]])));

function readAddress(value: ParasolAddressFragment | null | undefined): ShopAddress | null {
  if (!value) return null;
  return {
    firstName: text(value.firstName),
    lastName: text(value.lastName),
    company: text(value.company),
    address1: text(value.address1),
    address2: text(value.address2),
    zip: text(value.zip),
    city: text(value.city),
    countryCode: text(value.countryCodeV2),
    phone: text(value.phone),
  };
}

/**
 * @param nodes all lines of the order
 * @throws RangeError, ZodError if an id or a time is invalid
 */
function toShopOrder(value: ParasolOrderFragment, nodes: readonly LineNode[]): ShopOrder {
  const sold = nodes.filter((node) => !isTip(node));
  const { lines, unreadableLines } = readOrderLines(sold, readLine);
  return {
    id: numericId(value.id),
    name: value.name,
    createdAt: moment.parse(value.processedAt),
    updatedAt: moment.parse(value.updatedAt),
    paid: isPaid(value.displayFinancialStatus ?? ""),
    isPaidBack: isPaidBack(value.displayFinancialStatus ?? ""),
    cancelledAt: value.cancelledAt == null ? null : moment.parse(value.cancelledAt),
    test: value.test,
    currency: value.currencyCode,
    gateways: value.paymentGatewayNames,
    sourceName: text(value.sourceName) ?? "",
    // Null for guests, and if the app may not read the customer: then it is no company.
    business: value.purchasingEntity?.__typename === "PurchasingCompany",
    acceptsMarketing: value.customerAcceptsMarketing,
    email: text(value.email),
    phone: text(value.phone),
    language: text(value.customerLocale),
    // Only apps with `read_customers` get it.
    customerId: null,
    customer: null,
    billingAddress: readAddress(value.billingAddress),
    shippingAddress: readAddress(value.shippingAddress),
    lines: addOfferedTouchpoints(lines, attributes(value.customAttributes)),
    unreadableLines,
  };
}

function readLine(node: LineNode): ShopOrderLine {
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
    id: numericId(node.id),
    productId: node.product ? numericId(node.product.id) : null,
    variantId: node.variant ? numericId(node.variant.id) : null,
    title: node.name,
    sku: text(node.sku),
    quantity: itemCount.parse(node.quantity),
    currentQuantity: itemCount.parse(node.currentQuantity),
    fulfilledQuantity: Math.max(0, node.currentQuantity - node.unfulfilledQuantity),
    requiresShipping: node.requiresShipping,
    amounts: inShop.currency === paidIn.currency ? [inShop] : [inShop, paidIn],
    properties: attributes(node.customAttributes),
    groupId: node.lineItemGroup?.id ?? null,
  };
}
