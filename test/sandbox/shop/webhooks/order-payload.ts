/** The REST order. */
import { fulfilmentState, isClosed } from "../fulfilments.ts";
import { gid } from "../ids.ts";
import { money } from "../money.ts";
import {
  gateways,
  linesTotal,
  orderDiscounts,
  orderTax,
  orderTotal,
  received,
  refunded,
  shippingTotal,
  subtotal,
} from "../order-sums.ts";
import type { Address, DiscountApplication, Order, ShopState } from "../state.ts";
import { taxOn, vatRate } from "../taxes.ts";
import { numericId } from "./json.ts";
import { toShopTime, moneySet } from "./rest.ts";
import type { Json } from "./rest.ts";
import { allocationPayloads, linePayload, refundPayload } from "./refund-payload.ts";
import { tipId } from "../tips.ts";

export interface PayloadOptions {
  /** Without approval for protected customer data the platform sends nulls for who and where. */
  protectedCustomerData: boolean;
  /** How a line's properties come; `list` where missing. */
  propertiesAs?: "list" | "object";
}

/** The platform's own apps, by the channel that they sell on. */
const appIds: Record<string, string> = { web: "580111", pos: "129785", shopify_draft_order: "1354745" };

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
  const current =
    order.cancelledAt !== null
      ? 0
      : order.lines.reduce((sum, line) => sum + subtotal(line, line.currentQuantity), 0);
  const discounts = orderDiscounts(order);
  const total = orderTotal(order);
  const fulfilment = fulfilmentState(order);
  const left = order.cancelledAt !== null ? 0 : Math.max(0, total - refunded(order));
  const taxes = (tax: number): Json[] => [
    {
      price: money(tax, order.currency),
      rate: vatRate,
      title: "FR TVA",
      price_set: moneySet(order, tax),
      channel_liable: false,
    },
  ];
  return {
    id: numericId(order.id),
    admin_graphql_api_id: gid("Order", order.id),
    app_id: numericId(appIds[order.sourceName] ?? appIds["web"] ?? ""),
    browser_ip: open ? "203.0.113.7" : null,
    buyer_accepts_marketing: order.acceptsMarketing,
    cancel_reason: order.cancelReason,
    cancelled_at: order.cancelledAt === null ? null : at(order.cancelledAt),
    cart_token: null,
    checkout_id: null,
    checkout_token: null,
    client_details: null,
    closed_at: isClosed(order) ? at(order.updatedAt) : null,
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
    ...amounts("current_total_tax", taxOn(left, { taxesIncluded: true })),
    customer_locale: order.locale,
    device_id: null,
    discount_codes: order.discountApplications.flatMap((application, index) =>
      application.type === "discount_code"
        ? [
            {
              code: application.title,
              amount: money(amountOf(order, index), order.currency),
              type:
                application.targetType === "shipping_line"
                  ? "shipping"
                  : "percentage" in application.value
                    ? "percentage"
                    : "fixed_amount",
            },
          ]
        : [],
    ),
    duties_included: false,
    email: open ? (order.email ?? "") : "",
    estimated_taxes: false,
    financial_status: order.financialStatus,
    fulfillment_status: fulfilment === "unfulfilled" ? null : fulfilment,
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
    payment_gateway_names: gateways(order),
    phone: open ? order.phone : null,
    po_number: null,
    presentment_currency: order.presentment?.currency ?? order.currency,
    processed_at: at(order.processedAt),
    reference: null,
    referring_site: null,
    source_identifier: null,
    source_name: order.sourceName,
    source_url: null,
    ...amounts("subtotal_price", linesTotal(order)),
    tags: "",
    tax_exempt: false,
    tax_lines: taxes(orderTax(order)),
    taxes_included: order.taxesIncluded,
    test: order.gateway === "bogus",
    token: `${order.id}c0ffee`,
    total_cash_rounding_payment_adjustment_set: moneySet(order, 0),
    total_cash_rounding_refund_adjustment_set: moneySet(order, 0),
    ...amounts("total_discounts", discounts),
    ...amounts(
      "total_line_items_price",
      order.lines.reduce((sum, line) => sum + line.price * line.quantity, 0),
    ),
    total_outstanding: money(Math.max(0, total - received(order)), order.currency),
    ...amounts("total_price", total),
    total_shipping_price_set: moneySet(order, shippingTotal(order)),
    ...amounts("total_tax", orderTax(order)),
    total_tip_received: money(order.tip, order.currency),
    total_weight: 0,
    updated_at: at(order.updatedAt),
    user_id: null,
    billing_address: open ? addressPayload(order.billingAddress) : null,
    customer: customerPayload(order, open, at),
    discount_applications: order.discountApplications.map((application) =>
      applicationPayload(order, application),
    ),
    fulfillments: [],
    line_items: [
      ...order.lines.map((line) => linePayload(order, line)),
      ...(order.tip > 0 ? [tipPayload(order)] : []),
    ],
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
              current_discounted_price_set: moneySet(order, shippingTotal(order)),
              discounted_price: money(shippingTotal(order), order.currency),
              discounted_price_set: moneySet(order, shippingTotal(order)),
              is_removed: false,
              phone: null,
              price: money(order.shippingPrice, order.currency),
              price_set: moneySet(order, order.shippingPrice),
              requested_fulfillment_service_id: null,
              source: "shopify",
              title: "Standard",
              tax_lines: taxes(taxOn(shippingTotal(order), order)),
              discount_allocations: allocationPayloads(order, order.shippingDiscounts),
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
    email_marketing_consent: {
      state: order.acceptsMarketing ? "subscribed" : "not_subscribed",
      opt_in_level: "single_opt_in",
      consent_updated_at: null,
    },
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

function applicationPayload(order: Order, application: DiscountApplication): Json {
  const { type, title, value } = application;
  return {
    target_type: application.targetType,
    type,
    value: "percentage" in value ? value.percentage.toFixed(1) : money(value.amount, order.currency),
    value_type: "percentage" in value ? "percentage" : "fixed_amount",
    allocation_method: application.allocationMethod,
    target_selection: application.targetSelection,
    ...(type === "discount_code" ? { code: title } : { title }),
  };
}

/** What one discount took off in all. */
function amountOf({ lines, shippingDiscounts }: Order, index: number): number {
  return [...lines.flatMap(({ discounts }) => discounts), ...shippingDiscounts]
    .filter(({ application }) => application === index)
    .reduce((sum, { amount }) => sum + amount, 0);
}

/**
 * A tip is a line of its own, of no product and no variant. No other line has the field for the gateway that took it,
 * which may be null, as it is here.
 */
function tipPayload(order: Order): Json {
  const id = tipId(order);
  return {
    id: numericId(id),
    admin_graphql_api_id: gid("LineItem", id),
    attributed_staffs: [],
    current_quantity: 1,
    fulfillable_quantity: 0,
    fulfillment_service: "manual",
    fulfillment_status: "fulfilled",
    gift_card: false,
    grams: 0,
    name: "Tip",
    price: money(order.tip, order.currency),
    price_set: moneySet(order, order.tip),
    product_exists: false,
    product_id: null,
    properties: [],
    quantity: 1,
    requires_shipping: false,
    sku: null,
    taxable: false,
    tip_payment_gateway: null,
    title: "Tip",
    total_discount: money(0, order.currency),
    total_discount_set: moneySet(order, 0),
    variant_id: null,
    variant_inventory_management: null,
    variant_title: null,
    vendor: null,
    tax_lines: [],
    duties: [],
    discount_allocations: [],
  };
}
