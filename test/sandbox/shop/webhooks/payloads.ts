/** The bodies of webhooks, in the platform's REST shapes. */
import { Decimal } from "decimal.js";
import type { ShopEvent } from "../events.ts";
import { gid } from "../ids.ts";
import { appId } from "../metafields.ts";
import { converted, money } from "../money.ts";
import { discount, orderTotal, refunded } from "../orders.ts";
import type { Address, Order, OrderLine, Product, Refund, ShopState, Variant } from "../state.ts";
import { includedTax, vatRate } from "../taxes.ts";
import { numericId } from "./json.ts";

type Json = Record<string, unknown>;

export interface PayloadOptions {
  /** Without approval for protected customer data the platform sends nulls for who and where. */
  protectedCustomerData: boolean;
}

export function payloadOf(state: ShopState, event: ShopEvent, options: PayloadOptions): Json {
  switch (event.topic) {
    case "orders/create":
    case "orders/paid":
    case "orders/updated":
    case "orders/cancelled":
      return orderPayload(state, event.order, options);
    case "orders/edited":
      return {
        order_edit: {
          id: numericId(event.edit.id),
          app_id: null,
          created_at: withZone(event.edit.createdAt, state.timezone),
          notify_customer: false,
          order_id: numericId(event.order.id),
          staff_note: "",
          user_id: numericId("98230000001"),
          line_items: { additions: deltas(event.edit.additions), removals: deltas(event.edit.removals) },
          discounts: { line_item: { additions: [], removals: [] } },
          shipping_lines: { additions: [], removals: [] },
        },
      };
    case "refunds/create":
      return refundPayload(state, event.order, event.refund);
    case "products/create":
    case "products/update":
      return productPayload(state, event.product);
    case "products/delete":
      return { id: numericId(event.productId) };
    case "shop/update":
    case "app/uninstalled":
      return shopPayload(state);
    case "app/scopes_update":
      return {
        id: numericId(appId),
        previous: event.previous,
        current: event.current,
        updated_at: new Date().toISOString(),
        shop_id: numericId(state.id),
      };
    case "customers/data_request":
      return {
        ...complianceShop(state),
        orders_requested: event.orderIds.map(numericId),
        customer: { id: numericId(event.customerId), email: event.email, phone: event.phone },
        data_request: { id: numericId("9999") },
      };
    case "customers/redact":
      return {
        ...complianceShop(state),
        customer: { id: numericId(event.customerId), email: event.email, phone: event.phone },
        orders_to_redact: event.orderIds.map(numericId),
      };
    case "shop/redact":
      return complianceShop(state);
  }
}

function complianceShop(state: ShopState): Json {
  return { shop_id: numericId(state.id), shop_domain: state.domain };
}

function deltas(changes: { lineId: string; delta: number }[]): Json[] {
  return changes.map(({ lineId, delta }) => ({ id: numericId(lineId), delta }));
}

/** `2026-11-21T07:10:00+01:00`: REST times are in the shop's time zone. */
function withZone(time: string, timezone: string): string {
  const at = new Date(time);
  const parts = new Intl.DateTimeFormat("sv-SE", {
    timeZone: timezone,
    dateStyle: "short",
    timeStyle: "medium",
  })
    .format(at)
    .replace(" ", "T");
  const offset = new Intl.DateTimeFormat("en", { timeZone: timezone, timeZoneName: "longOffset" })
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName");
  return parts + (offset?.value.replace("GMT", "") || "+00:00");
}

/** `{shop_money, presentment_money}` */
function pair(order: Order, minor: number): Json {
  const of = (amount: number, currency: string): Json => ({
    amount: money(amount, currency),
    currency_code: currency,
  });
  const paid = order.presentment;
  return {
    shop_money: of(minor, order.currency),
    presentment_money:
      paid === null
        ? of(minor, order.currency)
        : of(converted(minor, order.currency, paid.currency, paid.rate), paid.currency),
  };
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

function orderPayload(state: ShopState, order: Order, { protectedCustomerData: open }: PayloadOptions): Json {
  const at = (time: string): string => withZone(time, state.timezone);
  const amounts = (name: string, minor: number): Json => ({
    [name]: money(minor, order.currency),
    [`${name}_set`]: pair(order, minor),
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
      price_set: pair(order, includedTax(minor)),
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
    test: true,
    token: `${order.id}c0ffee`,
    total_cash_rounding_payment_adjustment_set: pair(order, 0),
    total_cash_rounding_refund_adjustment_set: pair(order, 0),
    ...amounts("total_discounts", discounts),
    ...amounts(
      "total_line_items_price",
      order.lines.reduce((sum, line) => sum + line.price * line.quantity, 0),
    ),
    total_outstanding: money(order.financialStatus === "pending" ? total : 0, order.currency),
    ...amounts("total_price", total),
    total_shipping_price_set: pair(order, order.shippingPrice),
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
              current_discounted_price_set: pair(order, order.shippingPrice),
              discounted_price: money(order.shippingPrice, order.currency),
              discounted_price_set: pair(order, order.shippingPrice),
              is_removed: false,
              phone: null,
              price: money(order.shippingPrice, order.currency),
              price_set: pair(order, order.shippingPrice),
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
      amount_set: pair(order, amount),
      discount_application_index: application++,
    }));
    return linePayload(order, line, allocations);
  });
}

function linePayload(order: Order, line: OrderLine, allocations: Json[]): Json {
  const after = line.price * line.quantity - discount(line);
  return {
    id: numericId(line.id),
    admin_graphql_api_id: gid("LineItem", line.id),
    attributed_staffs: [],
    current_quantity: line.currentQuantity,
    fulfillable_quantity: order.cancelledAt === null ? line.currentQuantity : 0,
    fulfillment_service: "manual",
    fulfillment_status: null,
    gift_card: false,
    grams: 0,
    name: line.variantTitle === "" ? line.title : `${line.title} - ${line.variantTitle}`,
    price: money(line.price, order.currency),
    price_set: pair(order, line.price),
    product_exists: true,
    product_id: numericId(line.productId),
    properties: line.properties,
    quantity: line.quantity,
    requires_shipping: line.requiresShipping,
    sales_line_item_group_id: null,
    sku: line.sku ?? "",
    taxable: line.taxable,
    title: line.title,
    // A discount on the order stays "0.00" here: only the allocations tell it.
    total_discount: "0.00",
    total_discount_set: pair(order, 0),
    variant_id: numericId(line.variantId),
    variant_inventory_management: "shopify",
    variant_title: line.variantTitle === "" ? null : line.variantTitle,
    vendor: line.vendor,
    tax_lines: line.taxable
      ? [
          {
            channel_liable: false,
            price: money(includedTax(after), order.currency),
            price_set: pair(order, includedTax(after)),
            rate: vatRate,
            title: "FR TVA",
          },
        ]
      : [],
    duties: [],
    discount_allocations: allocations,
  };
}

function refundPayload(state: ShopState, order: Order, refund: Refund): Json {
  const at = withZone(refund.createdAt, state.timezone);
  return {
    id: numericId(refund.id),
    admin_graphql_api_id: gid("Refund", refund.id),
    created_at: at,
    note: refund.note,
    order_id: numericId(order.id),
    processed_at: at,
    restock: true,
    total_duties_set: pair(order, 0),
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
        subtotal_set: pair(order, subtotal),
        total_tax: new Decimal(money(includedTax(subtotal), order.currency)).toNumber(),
        total_tax_set: pair(order, includedTax(subtotal)),
        line_item: line === undefined ? null : linePayload(order, line, []),
      };
    }),
    duties: [],
    return: null,
    refund_shipping_lines: [],
  };
}

function productPayload(state: ShopState, product: Product): Json {
  const at = (time: string): string => withZone(time, state.timezone);
  return {
    admin_graphql_api_id: gid("Product", product.id),
    body_html: product.descriptionHtml,
    created_at: at(product.createdAt),
    handle: product.handle,
    id: numericId(product.id),
    product_type: product.productType,
    published_at: product.publishedOn.size === 0 ? null : at(product.createdAt),
    template_suffix: null,
    title: product.title,
    updated_at: at(product.updatedAt),
    vendor: product.vendor,
    status: product.status.toLowerCase(),
    published_scope: "global",
    tags: product.tags.toSorted((a, b) => a.localeCompare(b)).join(", "),
    variants: product.variants.map((variant) => variantPayload(state, product, variant)),
    options: product.options.map((option, index) => ({
      name: option.name,
      id: numericId(option.id),
      product_id: numericId(product.id),
      position: index + 1,
      values: option.values,
    })),
    images: product.images.map(({ id, url, alt }, index) => ({
      id: numericId(id),
      product_id: numericId(product.id),
      position: index + 1,
      alt,
      src: url,
      variant_ids: [],
    })),
    image: null,
    media: [],
    category: null,
  };
}

function variantPayload(state: ShopState, product: Product, variant: Variant): Json {
  const [option1 = null, option2 = null, option3 = null] = variant.optionValues;
  return {
    admin_graphql_api_id: gid("ProductVariant", variant.id),
    barcode: null,
    compare_at_price: variant.compareAtPrice === null ? null : money(variant.compareAtPrice, state.currency),
    created_at: withZone(product.createdAt, state.timezone),
    id: numericId(variant.id),
    inventory_policy: variant.inventoryPolicy.toLowerCase(),
    position: variant.position,
    price: money(variant.price, state.currency),
    product_id: numericId(product.id),
    sku: variant.sku ?? "",
    taxable: variant.taxable,
    title: variant.title,
    updated_at: withZone(product.updatedAt, state.timezone),
    option1,
    option2,
    option3,
    image_id: null,
    inventory_item_id: numericId(variant.inventoryItemId),
    inventory_quantity: variant.inventoryQuantity,
    old_inventory_quantity: variant.inventoryQuantity,
  };
}

function shopPayload(state: ShopState): Json {
  return {
    id: numericId(state.id),
    name: state.name,
    email: state.email,
    domain: state.domain,
    province: null,
    country: "FR",
    address1: "12 rue de la Paix",
    zip: "75002",
    city: "Paris",
    phone: "",
    created_at: withZone(state.createdAt, state.timezone),
    updated_at: withZone(new Date().toISOString(), state.timezone),
    country_code: "FR",
    country_name: "France",
    currency: state.currency,
    customer_email: state.email,
    timezone: `(GMT+01:00) ${state.timezone}`,
    iana_timezone: state.timezone,
    shop_owner: "Camille Martin",
    money_format: "{{amount_with_comma_separator}} €",
    weight_unit: "kg",
    taxes_included: true,
    plan_display_name: state.plan,
    plan_name: state.plan.toLowerCase(),
    myshopify_domain: state.domain,
    primary_locale: state.locale,
    enabled_presentment_currencies: [state.currency],
  };
}
