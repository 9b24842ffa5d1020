/** The REST order, its lines and its refunds, with the fields that apps read. */
import { fulfilmentState, isClosed, leftToFulfil } from "../fulfilments.ts";
import { gid } from "../ids.ts";
import { lineGroup } from "../line-groups.ts";
import { money } from "../money.ts";
import {
  gateways,
  linesTotal,
  orderDiscounts,
  orderTax,
  orderTotal,
  received,
  refundDiscrepancy,
  refunded,
  shippingTotal,
} from "../order-sums.ts";
import { findVariant } from "../products.ts";
import type { Address, Allocation, Order, OrderLine, Refund, ShopState } from "../state.ts";
import { tipId } from "../tips.ts";
import { moneySet, numericId, toShopTime } from "./rest.ts";
import type { Json } from "./rest.ts";

export interface PayloadOptions {
  /** Without the approval for protected customer data Shopify sends null for names and addresses. */
  protectedCustomerData: boolean;
  /** The format of a line's properties; default: `list`. */
  propertiesAs?: "list" | "object";
}

export function orderPayload(state: ShopState, order: Order, options: PayloadOptions): Json {
  const { currency } = order;
  const at = (time: string): string => toShopTime(time, state.timezone);
  const amounts = (name: string, minor: number): Json => ({
    [name]: money(minor, currency),
    [`${name}_set`]: moneySet(order, minor),
  });
  const personal = <T>(value: T): T | null => (options.protectedCustomerData ? value : null);
  const total = orderTotal(order);
  const fulfilment = fulfilmentState(order);
  return {
    id: numericId(order.id),
    admin_graphql_api_id: gid("Order", order.id),
    buyer_accepts_marketing: order.acceptsMarketing,
    cancel_reason: order.cancelReason,
    cancelled_at: order.cancelledAt === null ? null : at(order.cancelledAt),
    closed_at: isClosed(order) ? at(order.updatedAt) : null,
    company: order.company ? { id: numericId(order.company.id), location_id: numericId("1") } : null,
    contact_email: personal(order.email),
    created_at: at(order.createdAt),
    currency,
    ...amounts("current_total_price", order.cancelledAt === null ? Math.max(0, total - refunded(order)) : 0),
    customer_locale: order.locale,
    discount_codes: order.discountApplications.flatMap(({ type, title }) =>
      type === "discount_code" ? [{ code: title }] : [],
    ),
    email: personal(order.email ?? ""),
    financial_status: order.financialStatus,
    fulfillment_status: fulfilment === "unfulfilled" ? null : fulfilment,
    name: order.name,
    note: null,
    note_attributes: order.noteAttributes,
    order_number: Number(order.name.slice(1)),
    payment_gateway_names: gateways(order),
    phone: personal(order.phone),
    presentment_currency: order.presentment?.currency ?? currency,
    processed_at: at(order.processedAt),
    source_name: order.sourceName,
    ...amounts("subtotal_price", linesTotal(order)),
    tags: order.tags.join(", "),
    taxes_included: order.taxesIncluded,
    test: order.gateway === "bogus",
    ...amounts("total_discounts", orderDiscounts(order)),
    total_outstanding: money(Math.max(0, total - received(order)), currency),
    ...amounts("total_price", total),
    total_shipping_price_set: moneySet(order, shippingTotal(order)),
    ...amounts("total_tax", orderTax(order)),
    total_tip_received: money(order.tip, currency),
    updated_at: at(order.updatedAt),
    billing_address: personal(addressPayload(order.billingAddress)),
    customer: customerPayload(order, personal),
    discount_applications: order.discountApplications.map(({ type, title, value, ...application }) => ({
      target_type: application.targetType,
      type,
      value: "percentage" in value ? value.percentage.toFixed(1) : money(value.amount, currency),
      value_type: "percentage" in value ? "percentage" : "fixed_amount",
      allocation_method: application.allocationMethod,
      target_selection: application.targetSelection,
      ...(type === "discount_code" ? { code: title } : { title }),
    })),
    line_items: [
      ...order.lines.map((line, index) => ({
        ...linePayload(state, order, line),
        properties: propertiesPayload(line, options.propertiesAs ?? "list", index),
      })),
      ...(order.tip > 0 ? [tipPayload(order)] : []),
    ],
    line_item_groups: lineGroupPayloads(order),
    refunds: order.refunds.map((refund) => refundPayload(state, order, refund)),
    shipping_address: personal(addressPayload(order.shippingAddress)),
    shipping_lines:
      order.shippingPrice === 0
        ? []
        : [
            {
              id: numericId(`${order.id}7`),
              code: "Standard",
              title: "Standard",
              price: money(order.shippingPrice, currency),
              discounted_price: money(shippingTotal(order), currency),
              discount_allocations: allocationPayloads(order, order.shippingDiscounts),
            },
          ],
  };
}

function lineGroupPayloads(order: Order): Json[] {
  const groups = new Map(
    order.lines.flatMap((line) => {
      const group = lineGroup(order, line);
      return group ? [[group.id, group]] : [];
    }),
  );
  return [...groups.values()].map(({ id, title, quantity, productId, variantId }) => ({
    id: numericId(id),
    title,
    quantity,
    product_id: numericId(productId),
    variant_id: numericId(variantId),
  }));
}

function addressPayload(address: Address | null): Json | null {
  if (address === null) return null;
  const { country_code: code, first_name, last_name } = address;
  return {
    ...address,
    name: [first_name, last_name].filter((part) => part !== null).join(" "),
    country: code === null ? null : new Intl.DisplayNames("en", { type: "region" }).of(code),
    province: null,
  };
}

function customerPayload(
  { customer, acceptsMarketing }: Order,
  personal: (value: string | null) => string | null,
): Json | null {
  if (customer === null) return null;
  return {
    id: numericId(customer.id),
    admin_graphql_api_id: gid("Customer", customer.id),
    email: personal(customer.email),
    first_name: personal(customer.first_name),
    last_name: personal(customer.last_name),
    phone: personal(customer.phone),
    email_marketing_consent: { state: acceptsMarketing ? "subscribed" : "not_subscribed" },
  };
}

function linePayload(state: ShopState, order: Order, line: OrderLine): Json {
  const { currency } = order;
  const isThere = findVariant(state, line.variantId) !== undefined;
  const group = lineGroup(order, line);
  const left = leftToFulfil(order, line);
  const manual = line.discounts
    .filter(({ application }) => order.discountApplications[application]?.type === "manual")
    .reduce((sum, { amount }) => sum + amount, 0);
  return {
    id: numericId(line.id),
    admin_graphql_api_id: gid("LineItem", line.id),
    current_quantity: line.currentQuantity,
    fulfillable_quantity: left,
    fulfillment_status:
      order.fulfilments.length === 0 || left === line.currentQuantity
        ? null
        : left === 0
          ? "fulfilled"
          : "partial",
    gift_card: false,
    name: line.variantTitle === "" ? line.title : `${line.title} - ${line.variantTitle}`,
    price: money(line.price, currency),
    price_set: moneySet(order, line.price, line.presentmentPrice),
    product_exists: isThere,
    product_id: isThere ? numericId(line.productId) : null,
    properties: line.properties,
    quantity: line.quantity,
    requires_shipping: line.requiresShipping,
    sales_line_item_group_id: group && numericId(group.id),
    sku: line.sku ?? "",
    taxable: line.taxable,
    title: line.title,
    // Automatic discounts and codes stay "0.00" here: only the allocations show them.
    total_discount: money(manual, currency),
    variant_id: isThere ? numericId(line.variantId) : null,
    variant_title: line.variantTitle === "" ? null : line.variantTitle,
    vendor: line.vendor,
    discount_allocations: allocationPayloads(order, line.discounts),
  };
}

/** A line's properties are a list, and an object by name in old orders; empty ones may be either. */
function propertiesPayload({ properties }: OrderLine, form: "list" | "object", index: number): unknown {
  const asObject = properties.length === 0 ? index % 2 === 0 : form === "object";
  return asObject ? Object.fromEntries(properties.map(({ name, value }) => [name, value])) : properties;
}

/**
 * A tip is a line of its own, without product and variant. No other line has the field for its gateway, which may be
 * null, as it is here.
 */
function tipPayload(order: Order): Json {
  const id = tipId(order);
  return {
    id: numericId(id),
    admin_graphql_api_id: gid("LineItem", id),
    current_quantity: 1,
    fulfillable_quantity: 0,
    name: "Tip",
    price: money(order.tip, order.currency),
    price_set: moneySet(order, order.tip),
    product_exists: false,
    product_id: null,
    properties: [],
    quantity: 1,
    sku: null,
    tip_payment_gateway: null,
    title: "Tip",
    variant_id: null,
    variant_title: null,
    discount_allocations: [],
  };
}

function allocationPayloads(order: Order, allocations: readonly Allocation[]): Json[] {
  return allocations.map(({ amount, application }) => ({
    amount: money(amount, order.currency),
    amount_set: moneySet(order, amount),
    discount_application_index: application,
  }));
}

export function refundPayload(state: ShopState, order: Order, refund: Refund): Json {
  const at = toShopTime(refund.createdAt, state.timezone);
  const discrepancy = refundDiscrepancy(order, refund);
  const isPending = refund.transactions.some(({ status }) => status === "pending");
  return {
    id: numericId(refund.id),
    admin_graphql_api_id: gid("Refund", refund.id),
    created_at: at,
    note: refund.note,
    order_id: numericId(order.id),
    processed_at: at,
    restock: true,
    // In the currency that the customer paid in.
    transactions: refund.transactions.map(({ id, amount, gateway, status }) => ({
      id: numericId(id),
      amount: moneySet(order, amount).presentment_money.amount,
      currency: moneySet(order, amount).presentment_money.currency_code,
      gateway,
      kind: "refund",
      status,
    })),
    order_adjustments:
      discrepancy === 0
        ? []
        : [
            {
              id: numericId(`${refund.id}9`),
              order_id: numericId(order.id),
              refund_id: numericId(refund.id),
              amount: money(discrepancy, order.currency),
              amount_set: moneySet(order, discrepancy),
              tax_amount: money(0, order.currency),
              tax_amount_set: moneySet(order, 0),
              reason: isPending ? "Pending refund discrepancy" : "Refund discrepancy",
            },
          ],
    refund_shipping_lines:
      refund.shipping === 0
        ? []
        : [
            {
              id: numericId(`${refund.id}8`),
              subtotal_amount_set: moneySet(order, refund.shipping),
              tax_amount_set: moneySet(order, refund.shippingTax),
            },
          ],
    refund_line_items: refund.lines.map(({ id, lineId, quantity, subtotal, tax }) => {
      const line = order.lines.find((each) => each.id === lineId);
      return {
        id: numericId(id),
        line_item_id: numericId(lineId),
        quantity,
        restock_type: "return",
        subtotal: Number(money(subtotal, order.currency)),
        subtotal_set: moneySet(order, subtotal),
        total_tax: Number(money(tax, order.currency)),
        total_tax_set: moneySet(order, tax),
        line_item: line === undefined ? null : linePayload(state, order, line),
      };
    }),
  };
}
