/** The REST refund, and the line that orders and refunds share. */
import { Decimal } from "decimal.js";
import { leftToFulfil } from "../fulfilments.ts";
import { gid } from "../ids.ts";
import { lineGroupId } from "../line-groups.ts";
import { money } from "../money.ts";
import { discount } from "../order-sums.ts";
import type { Allocation, Order, OrderLine, Refund, ShopState } from "../state.ts";
import { taxOn, vatRate } from "../taxes.ts";
import { numericId } from "./json.ts";
import { toShopTime, moneySet, priceSet } from "./rest.ts";
import type { Json } from "./rest.ts";

export function linePayload(order: Order, line: OrderLine): Json {
  const groupId = lineGroupId(order, line);
  const after = line.price * line.quantity - discount(line);
  const manual = line.discounts
    .filter(({ application }) => order.discountApplications[application]?.type === "manual")
    .reduce((sum, { amount }) => sum + amount, 0);
  return {
    id: numericId(line.id),
    admin_graphql_api_id: gid("LineItem", line.id),
    attributed_staffs: [],
    current_quantity: line.currentQuantity,
    fulfillable_quantity: leftToFulfil(order, line),
    fulfillment_service: "manual",
    fulfillment_status:
      order.fulfilments.length === 0 || leftToFulfil(order, line) === line.currentQuantity
        ? null
        : leftToFulfil(order, line) === 0
          ? "fulfilled"
          : "partial",
    gift_card: false,
    grams: 0,
    name: line.variantTitle === "" ? line.title : `${line.title} - ${line.variantTitle}`,
    price: money(line.price, order.currency),
    price_set: priceSet(order, line),
    product_exists: true,
    product_id: numericId(line.productId),
    properties: line.properties,
    quantity: line.quantity,
    requires_shipping: line.requiresShipping,
    sales_line_item_group_id: groupId === null ? null : numericId(groupId),
    sku: line.sku ?? "",
    taxable: line.taxable,
    title: line.title,
    // Automatic discounts and codes stay "0.00" here: only the allocations show them.
    total_discount: money(manual, order.currency),
    total_discount_set: moneySet(order, manual),
    variant_id: numericId(line.variantId),
    variant_inventory_management: "shopify",
    variant_title: line.variantTitle === "" ? null : line.variantTitle,
    vendor: line.vendor,
    tax_lines: line.taxable
      ? [
          {
            channel_liable: false,
            price: money(taxOn(after, order), order.currency),
            price_set: moneySet(order, taxOn(after, order)),
            rate: vatRate,
            title: "FR TVA",
          },
        ]
      : [],
    duties: [],
    discount_allocations: allocationPayloads(order, line.discounts),
  };
}

export function allocationPayloads(order: Order, allocations: readonly Allocation[]): Json[] {
  return allocations.map(({ amount, application }) => ({
    amount: money(amount, order.currency),
    amount_set: moneySet(order, amount),
    discount_application_index: application,
  }));
}

export function refundPayload(state: ShopState, order: Order, refund: Refund): Json {
  const at = toShopTime(refund.createdAt, state.timezone);
  return {
    id: numericId(refund.id),
    admin_graphql_api_id: gid("Refund", refund.id),
    created_at: at,
    note: refund.note,
    order_id: numericId(order.id),
    processed_at: at,
    restock: true,
    total_duties_set: moneySet(order, 0),
    user_id: numericId("98230000001"),
    order_adjustments: [],
    transactions: refund.transactions.map(({ id, amount }) => ({
      id: numericId(id),
      admin_graphql_api_id: gid("OrderTransaction", id),
      amount: money(amount, order.currency),
      authorization: null,
      created_at: at,
      currency: order.currency,
      device_id: null,
      error_code: null,
      gateway: order.gateway,
      kind: "refund",
      location_id: null,
      message: "Bogus Gateway: Forced success",
      order_id: numericId(order.id),
      parent_id: numericId(order.id),
      payment_id: `${order.name}.2`,
      processed_at: at,
      receipt: {},
      source_name: "1830279",
      status: "success",
      test: true,
      user_id: null,
    })),
    refund_line_items: refund.lines.map(({ id, lineId, quantity, subtotal }) => {
      const line = order.lines.find((each) => each.id === lineId);
      return {
        id: numericId(id),
        line_item_id: numericId(lineId),
        location_id: null,
        quantity,
        restock_type: "return",
        subtotal: new Decimal(money(subtotal, order.currency)).toNumber(),
        subtotal_set: moneySet(order, subtotal),
        total_tax: new Decimal(money(taxOn(subtotal, order), order.currency)).toNumber(),
        total_tax_set: moneySet(order, taxOn(subtotal, order)),
        line_item: line === undefined ? null : linePayload(order, line),
      };
    }),
    duties: [],
    return: null,
    refund_shipping_lines: [],
  };
}
