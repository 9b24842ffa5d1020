/**
 * A shop's events, for their listeners (the webhooks). The listeners are outside of the state, because the state is
 * plain data.
 */
import type { Order, OrderEdit, Product, Refund, ShopState } from "./state.ts";

export type ShopEvent =
  | {
      topic:
        | "orders/create"
        | "orders/paid"
        | "orders/updated"
        | "orders/cancelled"
        | "orders/fulfilled"
        | "orders/partially_fulfilled";
      order: Order;
    }
  | { topic: "orders/edited"; order: Order; edit: OrderEdit }
  | { topic: "refunds/create"; order: Order; refund: Refund }
  | { topic: "orders/delete"; orderId: string }
  | { topic: "products/create" | "products/update"; product: Product; isOrdered?: true }
  | { topic: "products/delete"; productId: string }
  | { topic: "shop/update" }
  | { topic: "app/uninstalled" }
  | { topic: "app/scopes_update"; previous: string[]; current: string[] }
  | {
      topic: "customers/data_request" | "customers/redact";
      customerId: string;
      email: string | null;
      phone: string | null;
      orderIds: string[];
    }
  | { topic: "shop/redact" };
export type Topic = ShopEvent["topic"];

type Listener = (event: ShopEvent) => void;
const listeners = new WeakMap<ShopState, Set<Listener>>();

export function onShopEvent(state: ShopState, listener: Listener): void {
  const known = listeners.get(state) ?? new Set<Listener>();
  known.add(listener);
  listeners.set(state, known);
}

export function emitShopEvent(state: ShopState, event: ShopEvent): void {
  for (const listener of listeners.get(state) ?? []) listener(event);
}
