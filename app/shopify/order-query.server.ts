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
  addBundles,
  itemCount,
  type LineAmounts,
  readOrderLines,
  type ShopAddress,
  type ShopLineGroup,
  type ShopOrder,
  type ShopOrderLine,
  type ShopRefund,
} from "./order.ts";
import { isPaid, isPaidBack } from "./payloads/orders.ts";
import { moment } from "./payloads/payload.ts";
import { readRefunds, type ReportedAmount, toShopRefund } from "./refunds.ts";
import type {
  ParasolAddressFragment,
  ParasolLinesFragment,
  ParasolMoneyFragment,
  ParasolOrderFragment,
  ParasolOrderLinesQuery,
  ParasolRefundFragment,
  ParasolRefundLinesFragment,
  ParasolRefundLinesQuery,
  ParasolRefundsQuery,
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
  return data.order ? readWhole(client, data.order) : null;
}

/** Requested cost of an order with its first lines, by Shopify's rules. */
export const ORDER_COST = 102;
export const PAGE_COST = 666;
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
    for (const node of nodes) orders.push(await readWhole(client, node));
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

/** The cover that the order of a checkout shows (`$app:cover`); null: no such order, or none yet. Throws like above. */
export async function findCoverOfCheckout(
  shop: string,
  token: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const { orders } = await createAdminClient(shop, { attempts: 1, signal }).request(
    `#graphql
    query ParasolCoverOfCheckout($query: String!) {
      orders(first: 1, query: $query) {
        nodes { checkoutToken metafield(namespace: "$app", key: "cover") { value } } } }`,
    { variables: { query: `checkout_token:${token}` } },
  );
  return orders.nodes.find(({ checkoutToken }) => checkoutToken === token)?.metafield?.value ?? null;
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

async function readWhole(client: AdminClient, value: ParasolOrderFragment): Promise<ShopOrder> {
  const lines = await fetchAllLines(client, value);
  return toShopOrder(value, lines, await fetchRefunds(client, value));
}

/** The first lines, and the further pages if there are any. */
async function fetchAllLines(client: AdminClient, value: ParasolOrderFragment): Promise<LineNode[]> {
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
  return nodes;
}

/** Points of a refund by Shopify's rules. The limit for a request is 1,000. */
const REFUND_COST = 126;
const REFUNDS_PER_REQUEST = 2;

/**
 * Few orders have refunds, and their amounts would double the cost of every page of orders: so each order with refunds
 * takes requests of its own.
 */
async function fetchRefunds(client: AdminClient, { refunds }: ParasolOrderFragment): Promise<RefundNode[]> {
  const nodes: RefundNode[] = [];
  for (let first = 0; first < refunds.length; first += REFUNDS_PER_REQUEST) {
    const ids = refunds.slice(first, first + REFUNDS_PER_REQUEST).map(({ id }) => id);
    const page: ParasolRefundsQuery = await client.request(
      `#graphql
      query ParasolRefunds($ids: [ID!]!) { nodes(ids: $ids) { ... on Refund { ...ParasolRefund } } }
      ${REFUND}`,
      { variables: { ids }, requestedCost: REFUND_COST * ids.length },
    );
    for (const node of page.nodes)
      if (node) nodes.push({ ...node, refundLineItems: await fetchAllRefundLines(client, node) });
  }
  return nodes;
}

async function fetchAllRefundLines(
  client: AdminClient,
  { id, refundLineItems }: ParasolRefundFragment,
): Promise<RefundLineNode[]> {
  const nodes = [...refundLineItems.nodes];
  let { hasNextPage, endCursor } = refundLineItems.pageInfo;
  while (hasNextPage) {
    const { refund: more }: ParasolRefundLinesQuery = await client.request(
      `#graphql
      query ParasolRefundLines($id: ID!, $after: String) {
        refund(id: $id) { refundLineItems(first: 250, after: $after) { ...ParasolRefundLines } } }
      ${REFUND_LINES}`,
      { variables: { id, after: endCursor }, requestedCost: 91 },
    );
    if (!more) break;
    nodes.push(...more.refundLineItems.nodes);
    ({ hasNextPage, endCursor } = more.refundLineItems.pageInfo);
  }
  return nodes;
}

const MONEY = `#graphql
  fragment ParasolMoney on MoneyBag {
    shopMoney { amount currencyCode }
    presentmentMoney { amount currencyCode }
  }`;

const LINES = `#graphql
  fragment ParasolLines on LineItemConnection {
    nodes {
      id name sku quantity currentQuantity unfulfilledQuantity nonFulfillableQuantity requiresShipping
      product { id }
      variant { id }
      lineItemGroup { id title quantity productId variantId }
      customAttributes { key value }
      originalUnitPriceSet { ...ParasolMoney }
      discountAllocations {
        allocatedAmountSet { ...ParasolMoney }
      }
    }
    pageInfo { hasNextPage endCursor }
  }
  ${MONEY}`;

const REFUND_LINES = `#graphql
  fragment ParasolRefundLines on RefundLineItemConnection {
    nodes {
      quantity
      lineItem { id }
      subtotalSet { ...ParasolMoney }
      totalTaxSet { ...ParasolMoney }
    }
    pageInfo { hasNextPage endCursor }
  }
  ${MONEY}`;

const REFUND = `#graphql
  fragment ParasolRefund on Refund {
    id createdAt processedAt
    refundLineItems(first: 50) { ...ParasolRefundLines }
    transactions(first: 20) { nodes { kind status amountSet { ...ParasolMoney } } }
    refundShippingLines(first: 10) {
      nodes { subtotalAmountSet { ...ParasolMoney } taxAmountSet { ...ParasolMoney } }
    }
  }
  ${REFUND_LINES}`;

const ORDER = `#graphql
  fragment ParasolOrder on Order {
    id name processedAt updatedAt cancelledAt test currencyCode displayFinancialStatus paymentGatewayNames sourceName
    customerAcceptsMarketing customerLocale email phone taxesIncluded
    refunds(first: 50) { id }
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
type RefundLineNode = ParasolRefundLinesFragment["nodes"][number];
/** A refund with all of its lines. */
type RefundNode = Omit<ParasolRefundFragment, "refundLineItems"> & { refundLineItems: RefundLineNode[] };

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
function toShopOrder(
  value: ParasolOrderFragment,
  nodes: readonly LineNode[],
  refunds: readonly RefundNode[],
): ShopOrder {
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
    lines: addOfferedTouchpoints(addBundles(lines, readGroups(sold)), attributes(value.customAttributes)),
    unreadableLines,
    refunds: readRefunds(refunds, (refund) => readRefund(refund, value)),
  };
}

function readGroups(nodes: readonly LineNode[]): ShopLineGroup[] {
  return nodes.flatMap(({ lineItemGroup }) =>
    lineItemGroup
      ? {
          id: lineItemGroup.id,
          title: lineItemGroup.title,
          quantity: lineItemGroup.quantity,
          productId: lineItemGroup.productId ? numericId(lineItemGroup.productId) : null,
          variantId: lineItemGroup.variantId ? numericId(lineItemGroup.variantId) : null,
        }
      : [],
  );
}

function readRefund(
  node: RefundNode,
  { currencyCode, taxesIncluded }: Pick<ParasolOrderFragment, "currencyCode" | "taxesIncluded">,
): ShopRefund | null {
  const withTax = (price: ParasolMoneyFragment, tax: ParasolMoneyFragment) =>
    (taxesIncluded ? [price] : [price, tax]).map(sidesOf);
  return toShopRefund({
    id: numericId(node.id),
    at: moment.parse(node.createdAt ?? node.processedAt),
    lines: node.refundLineItems.map(({ lineItem, quantity, subtotalSet, totalTaxSet }) => ({
      lineId: numericId(lineItem.id),
      quantity: itemCount.parse(quantity),
      costs: withTax(subtotalSet, totalTaxSet),
    })),
    transactions: node.transactions.nodes.map(({ kind, status, amountSet }) => ({
      kind,
      status,
      amount: sidesOf(amountSet),
    })),
    shipping: node.refundShippingLines.nodes.flatMap(({ subtotalAmountSet, taxAmountSet }) =>
      withTax(subtotalAmountSet, taxAmountSet),
    ),
    shopCurrency: currencyCode,
  });
}

const sidesOf = ({ shopMoney, presentmentMoney }: ParasolMoneyFragment): ReportedAmount =>
  [shopMoney, presentmentMoney].map(({ amount, currencyCode }) => ({
    amountMinor: Math.abs(toStoredMinorUnits(amount, currencyCode)),
    currency: currencyCode,
  }));

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
    bundle: null,
  };
}
