/** Orders, their lines and fulfilment orders in the Admin API, and fulfillmentCreate. */
import { GraphQLError } from "graphql";
import type { MutationFulfillmentCreateArgs } from "#app/shopify/types/admin.types.d.ts";
import { fulfilLines, leftToFulfil } from "../fulfilments.ts";
import { gid, parseGid } from "../ids.ts";
import { lineGroup } from "../line-groups.ts";
import { convertMoney } from "../money.ts";
import { gateways } from "../order-sums.ts";
import { findOrder, OrderRefused } from "../orders.ts";
import { findVariant } from "../products.ts";
import type { Address, Order, OrderLine } from "../state.ts";
import { tipId } from "../tips.ts";
import { moneyV2, requireId, requireKnown, typed } from "./resolver.ts";
import type { Call, Resolvers } from "./resolver.ts";
import { search } from "./search.ts";
import type { SearchFields } from "./search.ts";

/** The app lacks the approval for this part of the customers' data. */
function dataProtected(what: string): GraphQLError {
  return new GraphQLError(
    `This app is not approved to ${what}. See https://shopify.dev/docs/apps/launch/protected-customer-data for more details.`,
    { extensions: { code: "ACCESS_DENIED", documentation: "https://shopify.dev/api/usage/access-scopes" } },
  );
}

/** An app without the approval for protected customer data gets no order at all. */
export function requireOrders({ shop }: Call): void {
  if (!shop.webhooks.behaviour.approvedForOrders) throw dataProtected("access the Order object");
}

/** A personal field; an error if the app lacks the approval for it. */
export function personal<T>({ shop }: Call, what: string, value: T): T | null {
  const { protectedCustomerData, withheldAs } = shop.webhooks.behaviour;
  if (protectedCustomerData) return value;
  if (withheldAs === "error") throw dataProtected(what);
  return null;
}

/** The age limit of orders for an app without `read_all_orders`. */
const WINDOW_MS = 60 * 24 * 3600 * 1000;

function isShown({ createdAt }: Order, { scopes }: Call): boolean {
  return scopes.includes("read_all_orders") || Date.parse(createdAt) >= Date.now() - WINDOW_MS;
}

const orderFields: SearchFields<Order> = {
  id: ({ id }) => id,
  name: ({ name }) => [name, name.slice(1)],
  financial_status: ({ financialStatus }) => financialStatus,
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
  processed_at: ({ processedAt }) => processedAt,
  // Documented as "a case-insensitive search of multiple fields": those that the admin's search names.
  default: ({ name, email, billingAddress, shippingAddress }) =>
    [
      name,
      email,
      ...[billingAddress, shippingAddress].flatMap((address) => [address?.first_name, address?.last_name]),
    ].filter((value) => typeof value === "string"),
  checkout_token: ({ checkoutToken }) => checkoutToken ?? "",
};
const sortKeys = { CREATED_AT: "createdAt", UPDATED_AT: "updatedAt", PROCESSED_AT: "processedAt" } as const;

interface OrderList {
  query?: string | null;
  sortKey?: keyof typeof sortKeys | null;
}

function ordersOf(_: unknown, { query, sortKey }: OrderList, call: Call): Order[] {
  requireOrders(call);
  const orders = search(call.shop.state.orders.values(), query, orderFields);
  const key = sortKeys[sortKey ?? "PROCESSED_AT"];
  return orders
    .filter((order) => isShown(order, call))
    .sort((a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0));
}

interface FulfilmentOrder {
  /** the order's id and three digits */
  id: string;
  order: Order;
  lines: OrderLine[];
}

function fulfilmentOrdersOf(order: Order): FulfilmentOrder[] {
  const size = order.linesPerFulfilmentOrder ?? Math.max(1, order.lines.length);
  return Array.from({ length: Math.ceil(order.lines.length / size) }, (_, index) => ({
    id: `${order.id}${String(index).padStart(3, "0")}`,
    order,
    lines: order.lines.slice(index * size, (index + 1) * size),
  }));
}

function findFulfilmentOrder({ shop: { state } }: Call, id: string): FulfilmentOrder | null {
  const order = state.orders.get(id.slice(0, -3));
  return (order && fulfilmentOrdersOf(order).find((each) => each.id === id)) ?? null;
}

/** The pair of shop and presentment money. */
export function moneyBag({ currency, presentment }: Order, minor: number, presentmentMinor?: number | null) {
  const paid = presentment ?? { currency, rate: "1" };
  return {
    shopMoney: moneyV2(minor, currency),
    presentmentMoney: moneyV2(
      presentmentMinor ?? convertMoney(minor, currency, paid.currency, paid.rate),
      paid.currency,
    ),
  };
}

/** A line refers to its order, because amounts and quantities depend on it. */
type LineOfOrder = OrderLine & { order: Order };

/** A tip is a line without a product, and cannot be fulfilled. */
function tipLine(order: Order): object {
  return {
    id: tipId(order),
    title: "Tip",
    variantTitle: "",
    sku: null,
    quantity: 1,
    currentQuantity: 1,
    properties: [],
    discounts: [],
    price: order.tip,
    presentmentPrice: null,
    parentLineId: null,
    productId: "",
    variantId: "",
    requiresShipping: false,
    order,
    isTip: true,
  };
}

const attributes = (pairs: { name: string; value: string }[]) =>
  pairs.map(({ name, value }) => ({ key: name, value }));

export const orderTypes: Resolvers = {
  QueryRoot: {
    orders: ordersOf,
    ordersCount: (...list: Parameters<typeof ordersOf>) => ordersOf(...list).length,
    order: (_, { id }: { id: string }, call) => orderById(call, requireId("Order", id)),
    fulfillmentOrder: (_, { id }: { id: string }, call) =>
      findFulfilmentOrder(call, requireId("FulfillmentOrder", id)),
  },
  Order: {
    test: ({ gateway }: Order) => gateway === "bogus",
    displayFinancialStatus: ({ financialStatus }: Order) => financialStatus,
    currencyCode: ({ currency }: Order) => currency,
    customerAcceptsMarketing: ({ acceptsMarketing }: Order) => acceptsMarketing,
    customerLocale: ({ locale }: Order) => locale,
    paymentGatewayNames: (order: Order) => gateways(order),
    customAttributes: ({ noteAttributes }: Order) => attributes(noteAttributes),
    email: ({ email }: Order, _, call) => personal(call, "use the email field", email),
    phone: ({ phone }: Order, _, call) => personal(call, "use the phone field", phone),
    billingAddress: ({ billingAddress }: Order, _, call) =>
      personal(call, "access the MailingAddress object", billingAddress),
    shippingAddress: ({ shippingAddress }: Order, _, call) =>
      personal(call, "access the MailingAddress object", shippingAddress),
    purchasingEntity: ({ company, customer }: Order) =>
      company ? typed("PurchasingCompany", company) : customer && typed("Customer", customer),
    lineItems: (order: Order) => [
      ...order.lines.map((line) => ({ ...line, order })),
      ...(order.tip > 0 ? [tipLine(order)] : []),
    ],
    fulfillmentOrders: fulfilmentOrdersOf,
  },
  MailingAddress: {
    firstName: ({ first_name }: Address) => first_name,
    lastName: ({ last_name }: Address) => last_name,
    countryCodeV2: ({ country_code }: Address) => country_code,
  },
  LineItem: {
    name: ({ title, variantTitle }: OrderLine) =>
      variantTitle === "" ? title : `${title} - ${variantTitle}`,
    unfulfilledQuantity: (line: LineOfOrder) => leftToFulfil(line.order, line),
    nonFulfillableQuantity: (line: OrderLine & { isTip?: true }) =>
      line.isTip ? line.quantity : line.quantity - line.currentQuantity,
    customAttributes: ({ properties }: OrderLine) => attributes(properties),
    originalUnitPriceSet: ({ order, price, presentmentPrice }: LineOfOrder) =>
      moneyBag(order, price, presentmentPrice),
    discountAllocations: ({ order, discounts }: LineOfOrder) =>
      discounts.map(({ amount }) => ({ allocatedAmountSet: moneyBag(order, amount) })),
    lineItemGroup: (line: LineOfOrder) => {
      const group = lineGroup(line.order, line);
      return (
        group && {
          ...group,
          productId: gid("Product", group.productId),
          variantId: gid("ProductVariant", group.variantId),
        }
      );
    },
    // Both are null once they are deleted, as on Shopify.
    product: ({ productId }: OrderLine, _, { shop }) => shop.state.products.get(productId) ?? null,
    variant: ({ variantId }: OrderLine, _, { shop }) => findVariant(shop.state, variantId)?.variant ?? null,
  },
  FulfillmentOrder: {
    supportedActions: ({ order, lines }: FulfilmentOrder) =>
      !order.onHold && lines.some((line) => leftToFulfil(order, line) > 0)
        ? [{ action: "CREATE_FULFILLMENT" }]
        : [],
    lineItems: ({ order, lines }: FulfilmentOrder) =>
      lines
        .filter(({ currentQuantity }) => currentQuantity > 0)
        .map((line) => ({
          id: line.id,
          remainingQuantity: leftToFulfil(order, line),
          lineItem: { ...line, order },
        })),
  },
  Mutation: {
    fulfillmentCreate: (_, args: MutationFulfillmentCreateArgs, call) => fulfillmentCreate(call, args),
  },
};

export function orderById(call: Call, id: string): Order | null {
  requireOrders(call);
  const order = call.shop.state.orders.get(id);
  return order !== undefined && isShown(order, call) ? order : null;
}

/** A refusal of the store is the mutation's user error. */
export function refusedAs<T>(field: string, work: () => T): T | { userErrors: object[] } {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof OrderRefused)) throw error;
    return { userErrors: [{ field: [field], message: error.message }] };
  }
}

function fulfillmentCreate(call: Call, { fulfillment, ...others }: MutationFulfillmentCreateArgs) {
  requireKnown("fulfillmentCreate", others, []);
  requireKnown("FulfillmentInput", fulfillment, ["notifyCustomer", "lineItemsByFulfillmentOrder"]);
  const [requested] = fulfillment.lineItemsByFulfillmentOrder;
  return {
    fulfillment: null,
    ...refusedAs("fulfillment", () => {
      const found = findFulfilmentOrder(call, parseGid(requested?.fulfillmentOrderId ?? "")?.id ?? "");
      if (found === null) throw new OrderRefused("Fulfillment order does not exist.");
      const { order } = found;
      const lines =
        requested?.fulfillmentOrderLineItems?.map(({ id, quantity }) => ({
          lineId: parseGid(id)?.id ?? "",
          quantity,
        })) ??
        // Without a list, all remaining items.
        found.lines
          .map((line) => ({ lineId: line.id, quantity: leftToFulfil(order, line) }))
          .filter(({ quantity }) => quantity > 0);
      if (lines.some(({ lineId }) => !found.lines.some(({ id }) => id === lineId)))
        throw new OrderRefused("Invalid fulfillment order line item.");
      return {
        fulfillment: fulfilLines(call.shop.state, findOrder(call.shop.state, order.id).id, lines),
        userErrors: [],
      };
    }),
  };
}
