/**
 * `/sandbox/…`: what a script or a test does to the shop from outside. `?shop=<domain>` names another than the first.
 * It is no part of the platform and needs no token.
 */
import { Hono } from "hono";
import type { Context } from "hono";
import { z } from "zod";
import { fault } from "#test/sandbox/faults.ts";
import { staffMember, staffSessionToken } from "./admin/staff.ts";
import { emitShopEvent } from "./events.ts";
import { useHugeIds } from "./ids.ts";
import {
  cancelOrder,
  createOrder,
  createPaidOrder,
  editOrder,
  findOrder,
  OrderRefused,
  payOrder,
  refundOrder,
} from "./orders.ts";
import type { ShopSandbox } from "./sandbox.ts";
import type { Order } from "./state.ts";
import {
  newOrder,
  discount,
  checkoutFields,
  webhookBehaviour,
  cancellation,
  refund,
  orderEdit,
  compliance,
  theme,
} from "./control-input.ts";

export function control(shops: ReadonlyMap<string, ShopSandbox>): Hono {
  const app = new Hono();
  const shopOf = (c: Context): ShopSandbox => {
    const domain = c.req.query("shop");
    const shop = domain === undefined ? shops.values().next().value : shops.get(domain);
    if (shop === undefined) throw new OrderRefused(`there is no shop ${domain ?? ""}`);
    return shop;
  };
  /** An empty body is an empty object. */
  const body = async <T>(c: Context, schema: z.ZodType<T>): Promise<T> => {
    const text = await c.req.text();
    return schema.parse(text === "" ? {} : JSON.parse(text));
  };
  app.onError((error, c) => {
    if (error instanceof OrderRefused) return c.json({ error: error.message }, 409);
    if (error instanceof z.ZodError) return c.json({ error: z.prettifyError(error) }, 400);
    if (error instanceof SyntaxError) return c.json({ error: error.message }, 400);
    throw error;
  });

  app.get("/", (c) =>
    c.json(
      [...shops.values()].map((shop) => ({
        shop: shop.shopDomain,
        storefront: shop.origin,
        admin: shop.adminUrl,
        appUrl: shop.appUrl,
        installed: shop.state.installation !== null,
        products: shop.state.products.size,
        orders: shop.state.orders.size,
        usage: shop.api.usage,
        faults: shop.faults.list,
        knobs: shop.webhooks.behaviour,
      })),
    ),
  );
  app.put("/app-url", async (c) => {
    shopOf(c).setAppUrl((await body(c, z.strictObject({ url: z.url() }))).url);
    return c.body(null, 204);
  });
  app.post("/install", (c) => {
    shopOf(c).install();
    return c.body(null, 204);
  });
  app.post("/uninstall", (c) => {
    shopOf(c).uninstall();
    return c.body(null, 204);
  });
  app.put("/scopes", async (c) => {
    const { state } = shopOf(c);
    const { scopes } = await body(c, z.strictObject({ scopes: z.array(z.string()) }));
    if (state.installation === null) throw new OrderRefused("the app is not installed");
    const previous = state.installation.scopes;
    state.installation = { ...state.installation, scopes };
    emitShopEvent(state, { topic: "app/scopes_update", previous, current: scopes });
    return c.body(null, 204);
  });
  /** Another member of staff logs in to the admin. */
  app.put("/staff", async (c) => {
    const { id } = await body(c, z.strictObject({ id: z.string() }));
    shopOf(c).loggedIn = staffMember(id);
    return c.json(shopOf(c).loggedIn);
  });
  /** What the admin gives to App Bridge. */
  app.post("/session-token", async (c) => {
    const shop = shopOf(c);
    return c.json({
      token: await staffSessionToken(shop),
    });
  });
  /** An offline token, without going through the app. */
  app.post("/access-token", (c) => {
    const shop = shopOf(c);
    if (shop.state.installation === null) throw new OrderRefused("the app is not installed");
    return c.json({ token: shop.tokens.offline(shop.state.installation.scopes).token });
  });
  app.post("/expire-tokens", (c) => {
    shopOf(c).tokens.expireAll();
    return c.body(null, 204);
  });

  app.get("/orders", (c) => c.json([...shopOf(c).state.orders.values()]));
  app.get("/orders/:id", (c) => c.json(findOrder(shopOf(c).state, c.req.param("id"))));
  app.post("/orders", async (c) => {
    const { state } = shopOf(c);
    const input = await body(c, newOrder.extend({ paid: z.boolean().default(true) }));
    const { paid, ...order } = input;
    return c.json(paid ? createPaidOrder(state, order) : createOrder(state, order), 201);
  });
  const onOrder = (c: Context, done: (shop: ShopSandbox, order: Order) => unknown): Response => {
    const shop = shopOf(c);
    return c.json(done(shop, findOrder(shop.state, c.req.param("id") ?? "")) as object);
  };
  app.post("/orders/:id/pay", async (c) => {
    const { amount } = await body(c, z.strictObject({ amount: z.int().positive().optional() }));
    return onOrder(c, ({ state }, { id }) => payOrder(state, id, amount));
  });
  app.post("/orders/:id/cancel", async (c) => {
    const input = await body(c, cancellation);
    return onOrder(c, ({ state }, { id }) => cancelOrder(state, id, input));
  });
  app.post("/orders/:id/refund", async (c) => {
    const input = await body(c, refund);
    return onOrder(c, ({ state }, { id }) => refundOrder(state, id, input));
  });
  app.post("/orders/:id/edit", async (c) => {
    const input = await body(c, orderEdit);
    return onOrder(c, ({ state }, { id }) => editOrder(state, id, input));
  });

  app.post("/compliance", async (c) => {
    const { state } = shopOf(c);
    const { topic, orderId } = await body(c, compliance);
    if (topic === "shop/redact") emitShopEvent(state, { topic });
    else {
      const order = findOrder(state, orderId ?? "");
      const { customer } = order;
      if (customer === null) throw new OrderRefused(`${order.name} has no customer`);
      const orderIds = [...state.orders.values()]
        .filter((each) => each.customer?.id === customer.id)
        .map(({ id }) => id);
      emitShopEvent(state, {
        topic,
        customerId: customer.id,
        email: customer.email ?? "",
        phone: customer.phone,
        orderIds,
      });
    }
    return c.body(null, 204);
  });
  app.get("/webhooks", (c) => c.json(shopOf(c).webhooks.log));
  app.put("/webhooks/knobs", async (c) => {
    const { webhooks } = shopOf(c);
    Object.assign(webhooks.behaviour, await body(c, webhookBehaviour));
    return c.json(webhooks.behaviour);
  });
  app.post("/webhooks/release", (c) => {
    shopOf(c).webhooks.release();
    return c.body(null, 204);
  });
  app.post("/webhooks/settled", async (c) => {
    await shopOf(c).webhooks.settled();
    return c.body(null, 204);
  });
  app.post("/webhooks/:id/redeliver", (c) => {
    shopOf(c).webhooks.redeliver(c.req.param("id"));
    return c.body(null, 204);
  });
  app.post("/faults", async (c) => {
    shopOf(c).faults.add(await body(c, fault));
    return c.json(shopOf(c).faults.list, 201);
  });
  app.delete("/faults", (c) => {
    shopOf(c).faults.clear();
    return c.body(null, 204);
  });
  /** What the checkout takes off: replaces all discounts of the shop. */
  app.put("/discounts", async (c) => {
    const { state } = shopOf(c);
    state.discounts = await body(c, z.array(discount));
    return c.json(state.discounts);
  });
  app.put("/checkout", async (c) => {
    const { state } = shopOf(c);
    state.checkout = await body(c, checkoutFields);
    return c.json(state.checkout);
  });
  app.put("/theme", async (c) => {
    const { state } = shopOf(c);
    Object.assign(state.theme, await body(c, theme));
    return c.json(state.theme);
  });
  app.post("/huge-ids", (c) => {
    useHugeIds(shopOf(c).state);
    return c.body(null, 204);
  });
  app.get("/products", (c) =>
    c.json(
      [...shopOf(c).state.products.values()].map(
        ({ id, handle, title, productType, vendor, status, variants }) => ({
          id,
          handle,
          title,
          productType,
          vendor,
          status,
          variants: variants.map((variant) => ({
            id: variant.id,
            title: variant.title,
            price: variant.price,
            sku: variant.sku,
          })),
        }),
      ),
    ),
  );
  return app;
}
