/** The bodies of webhooks, in Shopify's REST shapes. */
import type { ShopEvent } from "../events.ts";
import { appId } from "../metafields.ts";
import type { Product, ShopState } from "../state.ts";
import { money } from "../money.ts";
import { orderPayload, refundPayload } from "./order-payload.ts";
import type { PayloadOptions } from "./order-payload.ts";
import { numericId, toShopTime } from "./rest.ts";
import type { Json } from "./rest.ts";

export function webhookPayload(state: ShopState, event: ShopEvent, options: PayloadOptions): Json {
  switch (event.topic) {
    case "orders/create":
    case "orders/paid":
    case "orders/updated":
    case "orders/cancelled":
    case "orders/fulfilled":
    case "orders/partially_fulfilled":
      return orderPayload(state, event.order, options);
    case "orders/edited":
      return {
        order_edit: {
          id: numericId(event.edit.id),
          created_at: toShopTime(event.edit.createdAt, state.timezone),
          order_id: numericId(event.order.id),
          line_items: { additions: deltas(event.edit.additions), removals: deltas(event.edit.removals) },
        },
      };
    case "refunds/create":
      return refundPayload(state, event.order, event.refund);
    case "orders/delete":
      return { id: numericId(event.orderId) };
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

/** The product fields that the app's subscriptions select. */
export function productPayload(state: ShopState, product: Product): Json {
  return {
    id: numericId(product.id),
    title: product.title,
    handle: product.handle,
    status: product.status.toLowerCase(),
    product_type: product.productType,
    has_variants_that_requires_components: product.requiresComponents === true,
    vendor: product.vendor,
    tags: product.tags.toSorted((a, b) => a.localeCompare(b)).join(", "),
    variants: product.variants.map(({ id, price }) => ({
      id: numericId(id),
      price: money(price, state.currency),
    })),
  };
}

function shopPayload(state: ShopState): Json {
  return {
    id: numericId(state.id),
    name: state.name,
    email: state.email,
    domain: state.domain,
    country_code: state.country,
    currency: state.currency,
    iana_timezone: state.timezone,
    plan_name: state.plan.toLowerCase(),
    myshopify_domain: state.domain,
    primary_locale: state.locale,
    updated_at: toShopTime(new Date().toISOString(), state.timezone),
  };
}
