/** Webhooks to the app beside those that the shop sends by itself. */
import { createHmac, randomUUID } from "node:crypto";
import type { ShopSandbox } from "#test/sandbox/shop/sandbox.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import type { TestApp } from "./stage.ts";

/** A signed webhook. @returns the status of the answer */
async function deliver(
  testApp: TestApp,
  webhookId: string,
  body: string,
  headers: Record<string, string>,
): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${testApp.webPort}/webhooks`, {
    method: "POST",
    body,
    headers: {
      ...headers,
      "X-Shopify-Event-Id": randomUUID(),
      "X-Shopify-Webhook-Id": webhookId,
      "X-Shopify-Hmac-Sha256": createHmac("sha256", testApp.shops[0].apiSecret).update(body).digest("base64"),
    },
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** Delivers an order's webhooks again, with new webhook ids. */
export async function deliverAgain(
  testApp: TestApp,
  webhookId: string,
  shop: ShopSandbox,
  order: Order,
): Promise<number> {
  const delivery = shop.webhooks.log.findLast(
    ({ topic, headers }) => topic === "orders/paid" && headers["X-Shopify-Order-Id"] === order.id,
  );
  if (!delivery) throw new Error("The order was never sent");
  return deliver(testApp, webhookId, delivery.body, delivery.headers);
}

/** A signed webhook without an order. */
export async function deliverPoison(testApp: TestApp, webhookId: string, shop: ShopSandbox): Promise<number> {
  return deliver(testApp, webhookId, '{"id": 1, "line_items": {}}', {
    "Content-Type": "application/json",
    "X-Shopify-Topic": "orders/paid",
    "X-Shopify-Shop-Domain": shop.shopDomain,
    "X-Shopify-Triggered-At": new Date().toISOString(),
  });
}
