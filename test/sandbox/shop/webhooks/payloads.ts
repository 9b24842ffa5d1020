/** The bodies of webhooks, in the platform's REST shapes. */
import { z } from "zod";
import type { ShopEvent } from "../events.ts";
import { appId } from "../metafields.ts";
import type { ShopState } from "../state.ts";
import { numericId } from "./json.ts";
import { toShopTime } from "./rest.ts";
import type { Json } from "./rest.ts";
import { orderPayload } from "./order-payload.ts";
import type { PayloadOptions } from "./order-payload.ts";
import { refundPayload } from "./refund-payload.ts";
import { productPayload } from "./product-payload.ts";
import { shopPayload } from "./shop-payload.ts";

export function webhookPayload(state: ShopState, event: ShopEvent, options: PayloadOptions): Json {
  switch (event.topic) {
    case "orders/create":
    case "orders/paid":
    case "orders/updated":
    case "orders/cancelled":
      return withProperties(orderPayload(state, event.order, options), options);
    case "orders/edited":
      return {
        order_edit: {
          id: numericId(event.edit.id),
          app_id: null,
          created_at: toShopTime(event.edit.createdAt, state.timezone),
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

/** A line's properties are a list, and in old orders an object by name; empty ones come as either. */
function withProperties(order: Json, { propertiesAs = "list" }: PayloadOptions): Json {
  const lines = order["line_items"];
  if (!Array.isArray(lines)) return order;
  return {
    ...order,
    line_items: lines.map((line: Json, index) => shapeProperties(line, propertiesAs, index)),
  };
}

function shapeProperties(line: Json, form: "list" | "object", index: number): Json {
  const { properties } = line;
  if (!Array.isArray(properties)) return line;
  const list = z.array(z.object({ name: z.string(), value: z.string() })).parse(properties);
  const byName = Object.fromEntries(list.map(({ name, value }) => [name, value]));
  const asObject = list.length === 0 ? index % 2 === 0 : form === "object";
  return { ...line, properties: asObject ? byName : list };
}

function complianceShop(state: ShopState): Json {
  return { shop_id: numericId(state.id), shop_domain: state.domain };
}

function deltas(changes: { lineId: string; delta: number }[]): Json[] {
  return changes.map(({ lineId, delta }) => ({ id: numericId(lineId), delta }));
}
