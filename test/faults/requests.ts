/** Requests to the app: Shopify delivers webhooks, a merchant starts a reconciliation. */
import { createHmac, randomUUID } from "node:crypto";
import { becomesTrue } from "#test/eventually.ts";
import { signSessionToken } from "#test/sandbox/shop/auth/session-token.ts";
import type { ShopSandbox } from "#test/sandbox/shop/sandbox.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import type { TestApp } from "./stage.ts";

const DAY = 86_400_000;

interface Ask {
  form?: Record<string, string>;
  /** the app's clock is off by so much */
  clockMs?: number;
}

/** One request of an admin page's script. */
async function ask(testApp: TestApp, shop: ShopSandbox, path: string, { form, clockMs = 0 }: Ask) {
  const { apiKey, apiSecret, shopDomain } = shop;
  const claims = { apiKey, apiSecret, shopDomain, userId: "1", sessionId: "s1" };
  const token = await signSessionToken(claims, Date.now() + clockMs);
  const answer = await fetch(`http://127.0.0.1:${testApp.webPort}${path}`, {
    headers: {
      authorization: `Bearer ${token}`,
      "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150 Safari/537.36",
    },
    ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }),
  });
  return { status: answer.status, text: await answer.text() };
}

/** Has the orders of each shop's last two days read again, as the merchant's button for past orders does. */
export async function reconcile(testApp: TestApp, clockMs = 0): Promise<void> {
  for (const shop of testApp.shops) {
    const day = (at: number) =>
      new Intl.DateTimeFormat("sv-SE", { timeZone: shop.state.timezone }).format(new Date(at));
    const form = { intent: "start", since: day(Date.now() - DAY) };
    const isStarted = async () => {
      const { status, text } = await ask(testApp, shop, "/app/settings/past-orders.data", { form, clockMs });
      if (status === 200 && text.includes('"started"')) return true;
      if (status === 200 && text.includes('"running"')) return false;
      throw new Error(`A reconciliation was answered ${status}: ${text.slice(0, 300)}`);
    };
    // One at a time: the one that runs may have passed by what this one is for.
    if (!(await becomesTrue(isStarted, 600_000, 250))) throw new Error("Another reconciliation never ended");
  }
}

/** A signed webhook beside those that the shop sends by itself. @returns the status of the answer */
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

/** Delivers an order's webhooks again, as other webhooks. */
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

/** A signed webhook that is no order. */
export async function deliverPoison(testApp: TestApp, webhookId: string, shop: ShopSandbox): Promise<number> {
  return deliver(testApp, webhookId, '{"id": 1, "line_items": {}}', {
    "Content-Type": "application/json",
    "X-Shopify-Topic": "orders/paid",
    "X-Shopify-Shop-Domain": shop.shopDomain,
    "X-Shopify-Triggered-At": new Date().toISOString(),
  });
}
