/** The REST order. */
import { gid } from "../ids.ts";
import { money } from "../money.ts";
import { discount, orderTotal, refunded } from "../order-sums.ts";
import type { Address, Order, ShopState } from "../state.ts";
import { includedTax, vatRate } from "../taxes.ts";
import { numericId } from "./json.ts";
import { toShopTime, moneySet } from "./rest.ts";
import type { Json } from "./rest.ts";
import { linePayload, refundPayload } from "./refund-payload.ts";

export interface PayloadOptions {
  /** Without approval for protected customer data the platform sends nulls for who and where. */
  protectedCustomerData: boolean;
  /** How a line's properties come; `list` where missing. */
  propertiesAs?: "list" | "object";
}

function addressPayload(address: Address | null): Json | null {
  if (address === null) return null;
  const country =
    address.country_code === null
      ? null
      : (new Intl.DisplayNames("en", { type: "region" }).of(address.country_code) ?? null);
  return {
    first_name: address.first_name,
    address1: address.address1,
    phone: address.phone,
    city: address.city,
    zip: address.zip,
    province: null,
    country,
    last_name: address.last_name,
    address2: address.address2,
    company: address.company,
    latitude: null,
    longitude: null,
    name: [address.first_name, address.last_name].filter((part) => part !== null).join(" "),
    country_code: address.country_code,
    province_code: null,
  };
}

export function orderPayload(
  state: ShopState,
  order: Order,
  { protectedCustomerData: open }: PayloadOptions,
): Json {
  const at = (time: string): string => toShopTime(time, state.timezone);
  const amounts = (name: string, minor: number): Json => ({
    [name]: money(minor, order.currency),
    [`${name}_set`]: moneySet(order, minor),
  });
  const subtotal = order.lines.reduce((sum, line) => sum + line.price * line.quantity - discount(line), 0);
  const current =
    order.cancelledAt !== null
      ? 0
      : order.lines.reduce(
          (sum, line) =>
            sum +
            Math.floor(
              ((line.price * line.quantity - discount(line)) * line.currentQuantity) / line.quantity,
            ),
          0,
        );
  const discounts = order.lines.reduce((sum, line) => sum + discount(line), 0);
  const total = orderTotal(order);
  const left = order.cancelledAt !== null ? 0 : Math.max(0, total - refunded(order));
  const taxes = (minor: number): Json[] => [
    {
      price: money(includedTax(minor), order.currency),
      rate: vatRate,
      title: "FR TVA",
      price_set: moneySet(order, includedTax(minor)),
      channel_liable: false,
    },
  ];
  const applied = order.lines.flatMap((line) => line.discounts);
  return {
    id: numericId(order.id),
    admin_graphql_api_id: gid("Order", order.id),
    app_id: numericId("580111"),
    browser_ip: open ? "203.0.113.7" : null,
    buyer_accepts_marketing: false,
    cancel_reason: order.cancelReason,
    cancelled_at: order.cancelledAt === null ? null : at(order.cancelledAt),
    cart_token: null,
    checkout_id: null,
    checkout_token: null,
    client_details: null,
    closed_at: null,
    company: order.company ? { id: numericId(order.company.id), location_id: numericId("1") } : null,
    confirmation_number: `PRS${order.name.slice(1)}`,
    confirmed: true,
    contact_email: open ? order.email : null,
    created_at: at(order.createdAt),
    currency: order.currency,
    ...amounts("current_subtotal_price", current),
    current_total_additional_fees_set: null,
    ...amounts("current_total_discounts", order.cancelledAt !== null ? 0 : discounts),
    current_total_duties_set: null,
    ...amounts("current_total_price", left),
    ...amounts("current_total_tax", includedTax(left)),
    customer_locale: order.locale,
    device_id: null,
    discount_codes: [],
    duties_included: false,
    email: open ? (order.email ?? "") : "",
    estimated_taxes: false,
    financial_status: order.financialStatus,
    fulfillment_status: null,
    landing_site: null,
    landing_site_ref: null,
    location_id: null,
    merchant_business_entity_id: "MTU0ODM4MDAwOQ",
    merchant_of_record_app_id: null,
    name: order.name,
    note: null,
    note_attributes: order.noteAttributes,
    number: Number(order.name.slice(1)) - 1000,
    order_number: Number(order.name.slice(1)),
    original_total_additional_fees_set: null,
    original_total_duties_set: null,
    payment_gateway_names: [order.gateway],
    phone: open ? order.phone : null,
    po_number: null,
    presentment_currency: order.presentment?.currency ?? order.currency,
    processed_at: at(order.processedAt),
    reference: null,
    referring_site: null,
    source_identifier: null,
    source_name: order.sourceName,
    source_url: null,
    ...amounts("subtotal_price", subtotal),
    tags: "",
    tax_exempt: false,
    tax_lines: taxes(total),
    taxes_included: true,
    test: order.gateway === "bogus",
    token: `${order.id}c0ffee`,
    total_cash_rounding_payment_adjustment_set: moneySet(order, 0),
    total_cash_rounding_refund_adjustment_set: moneySet(order, 0),
    ...amounts("total_discounts", discounts),
    ...amounts(
      "total_line_items_price",
      order.lines.reduce((sum, line) => sum + line.price * line.quantity, 0),
    ),
    total_outstanding: money(order.financialStatus === "pending" ? total : 0, order.currency),
    ...amounts("total_price", total),
    total_shipping_price_set: moneySet(order, order.shippingPrice),
    ...amounts("total_tax", includedTax(total)),
    total_tip_received: "0.00",
    total_weight: 0,
    updated_at: at(order.updatedAt),
    user_id: null,
    billing_address: open ? addressPayload(order.billingAddress) : null,
    customer: customerPayload(order, open, at),
    discount_applications: applied.map((amount) => ({
      target_type: "line_item",
      type: "automatic",
      value: money(amount, order.currency),
      value_type: "fixed_amount",
      allocation_method: "across",
      target_selection: "all",
      title: "Remise",
    })),
    fulfillments: [],
    line_items: linePayloads(order),
    payment_terms: null,
    refunds: order.refunds.map((refund) => refundPayload(state, order, refund)),
    shipping_address: open ? addressPayload(order.shippingAddress) : null,
    shipping_lines:
      order.shippingPrice === 0
        ? []
        : [
            {
              id: numericId(`${order.id}7`),
              carrier_identifier: null,
              code: "Standard",
              current_discounted_price_set: moneySet(order, order.shippingPrice),
              discounted_price: money(order.shippingPrice, order.currency),
              discounted_price_set: moneySet(order, order.shippingPrice),
              is_removed: false,
              phone: null,
              price: money(order.shippingPrice, order.currency),
              price_set: moneySet(order, order.shippingPrice),
              requested_fulfillment_service_id: null,
              source: "shopify",
              title: "Standard",
              tax_lines: taxes(order.shippingPrice),
              discount_allocations: [],
            },
          ],
    returns: [],
  };
}

function customerPayload(order: Order, open: boolean, at: (time: string) => string): Json | null {
  const { customer } = order;
  if (customer === null) return null;
  return {
    id: numericId(customer.id),
    created_at: at(order.createdAt),
    updated_at: at(order.updatedAt),
    state: "disabled",
    note: null,
    verified_email: true,
    multipass_identifier: null,
    tax_exempt: false,
    email: open ? customer.email : null,
    first_name: open ? customer.first_name : null,
    last_name: open ? customer.last_name : null,
    phone: open ? customer.phone : null,
    currency: order.currency,
    tax_exemptions: [],
    admin_graphql_api_id: gid("Customer", customer.id),
    ...(open && order.billingAddress !== null
      ? {
          default_address: {
            id: numericId(`${customer.id}1`),
            customer_id: numericId(customer.id),
            ...addressPayload(order.billingAddress),
            default: true,
          },
        }
      : {}),
  };
}

function linePayloads(order: Order): Json[] {
  let application = 0;
  return order.lines.map((line) => {
    const allocations = line.discounts.map((amount) => ({
      amount: money(amount, order.currency),
      amount_set: moneySet(order, amount),
      discount_application_index: application++,
    }));
    return linePayload(order, line, allocations);
  });
}
