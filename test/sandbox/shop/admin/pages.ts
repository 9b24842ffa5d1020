/** The pages of the admin: orders with the merchant's actions on them, and the app in its iframe. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Hono } from "hono";
import type { Context } from "hono";
import { z } from "zod";
import { completeDraftOrder, createDraftOrder } from "../draft-orders.ts";
import { elsewhereScript } from "../elsewhere.ts";
import { gid } from "../ids.ts";
import { findMetafield } from "../metafields.ts";
import { minorUnits } from "../money.ts";
import { cancelOrder, OrderRefused, refundOrder } from "../orders.ts";
import type { ShopSandbox } from "../sandbox.ts";
import { checkoutEditor } from "./checkout-editor-page.ts";
import { extensionStatus } from "./extension-status.ts";
import { frameUrl, storeHandle } from "./frame-url.ts";
import { draftOrderPage, orderPage, ordersPage } from "./order-pages.ts";
import { appPage, installPage } from "./page-layout.ts";
import { staffMember, staffSessionToken } from "./staff.ts";
import { themeEditor } from "./theme-editor-page.ts";

const assets: Record<string, string> = {
  "admin.js": "text/javascript; charset=utf-8",
  "admin.css": "text/css; charset=utf-8",
};

export function adminPages(shops: ReadonlyMap<string, ShopSandbox>): Hono {
  const app = new Hono();
  const asset = (c: Context, name: string): Response => {
    const type = assets[name];
    return type === undefined
      ? c.text("Not found", 404)
      : c.body(readFileSync(join(import.meta.dirname, name)), 200, {
          "content-type": type,
          "cache-control": "no-cache",
          "access-control-allow-origin": "*",
        });
  };
  app.get("/app-bridge.js", (c) => {
    const elsewhere = shops.values().next().value?.elsewhere ?? {};
    const script = readFileSync(join(import.meta.dirname, "app-bridge.js"), "utf8");
    return c.body(`${script}\n${elsewhereScript(elsewhere)}`, 200, {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "no-cache",
      "access-control-allow-origin": "*",
    });
  });
  app.get("/admin-assets/:name", (c) => asset(c, c.req.param("name")));

  // The paths of every shop domain: `/admin/…` is its admin, with an app's pages under the app's id.
  app.get("/admin/apps/:key/*", (c) => {
    const { hostname, pathname, search } = new URL(c.req.url);
    const named = [...shops.values()].find(
      ({ shopDomain }) => storeHandle(shopDomain) === hostname.replace(/\.localhost$/, ""),
    );
    const shop = named ?? shops.values().next().value;
    if (shop?.apiKey !== c.req.param("key")) return c.text("There is no such app", 404);
    return c.redirect(shop.adminUrl + pathname.slice(`/admin/apps/${shop.apiKey}`.length) + search);
  });

  const store = new Hono<{ Variables: { shop: ShopSandbox } }>();
  store.use("/:store/*", async (c, next) => {
    const shop = [...shops.values()].find(
      ({ shopDomain }) => storeHandle(shopDomain) === c.req.param("store"),
    );
    if (shop === undefined) return c.text("There is no such store", 404);
    c.set("shop", shop);
    await next();
  });
  const base = (shop: ShopSandbox): string => `/store/${storeHandle(shop.shopDomain)}`;

  store.get("/:store", (c) => c.redirect(`/store/${c.req.param("store")}/orders`));
  store.get("/:store/orders", (c) => c.html(ordersPage(c.var.shop)));
  store.get("/:store/orders/:id", (c) => {
    const order = c.var.shop.state.orders.get(c.req.param("id"));
    return order === undefined ? c.text("Not found", 404) : c.html(orderPage(c.var.shop, order, null));
  });
  const change = (
    c: Context<{ Variables: { shop: ShopSandbox } }, "/:store/orders/:id/cancel">,
    work: (shop: ShopSandbox, id: string) => void,
  ): Response | Promise<Response> => {
    const { shop } = c.var;
    const id = c.req.param("id");
    try {
      work(shop, id);
    } catch (error) {
      const order = shop.state.orders.get(id);
      if (!(error instanceof OrderRefused) || order === undefined) throw error;
      return c.html(orderPage(shop, order, error.message), 409);
    }
    return c.redirect(`${base(shop)}/orders/${id}`, 303);
  };
  store.post("/:store/orders/:id/cancel", (c) => change(c, ({ state }, id) => cancelOrder(state, id)));
  store.post("/:store/orders/:id/refund", async (c) => {
    const form = z.record(z.string(), z.string()).parse(Object.fromEntries(await c.req.formData()));
    return change(c, ({ state }, id) => {
      const lines = Object.entries(form).flatMap(([name, value]) =>
        name.startsWith("line-") && Number(value) > 0
          ? [{ lineId: name.slice("line-".length), quantity: Number(value) }]
          : [],
      );
      const amount = form["amount"]?.trim().replace(",", ".");
      refundOrder(state, id, { lines, ...(amount ? { amount: minorUnits(amount, state.currency) } : {}) });
    });
  });
  /** A draft of the first insurable product, as staff would enter it during a call. */
  store.post("/:store/draft_orders", (c) => {
    const { shop } = c.var;
    const product = [...shop.state.products.values()].find(
      ({ id, status }) =>
        status === "ACTIVE" &&
        findMetafield(shop.state, gid("Product", id), "$app", "insurance_category") !== undefined,
    );
    const variantId = product?.variants[0]?.id;
    if (variantId === undefined) return c.text("No product has an insurance category", 409);
    const { id } = createDraftOrder(shop.state, { lines: [{ variantId }] });
    return c.redirect(`${base(shop)}/draft_orders/${id}`, 303);
  });
  store.get("/:store/draft_orders/:id", (c) => {
    const draft = c.var.shop.state.draftOrders.get(c.req.param("id"));
    return draft === undefined ? c.text("Not found", 404) : c.html(draftOrderPage(c.var.shop, draft));
  });
  store.post("/:store/draft_orders/:id/paid", (c) => {
    const { id } = completeDraftOrder(c.var.shop.state, c.req.param("id"));
    return c.redirect(`${base(c.var.shop)}/orders/${id}`, 303);
  });
  store.on(["GET", "POST"], "/:store/themes/*", (c) => themeEditor(c, c.var.shop));
  store.on(["GET", "POST"], "/:store/settings/checkout/editor", (c) => checkoutEditor(c, c.var.shop));
  store.get("/:store/extensions", (c) => c.json(extensionStatus(c.var.shop)));

  store.post("/:store/session-token", async (c) => c.json({ token: await staffSessionToken(c.var.shop) }));
  /** Another member of staff signs in, with their own permissions. */
  store.post("/:store/staff", async (c) => {
    const { id } = z.object({ id: z.string() }).parse(await c.req.parseBody());
    c.var.shop.loggedIn = staffMember(id);
    return c.redirect(c.req.header("referer") ?? base(c.var.shop), 303);
  });
  store.get("/:store/scopes", (c) =>
    c.json({
      granted: c.var.shop.state.installation?.scopes ?? [],
      required: c.var.shop.app.scopes,
      optional: c.var.shop.app.optionalScopes,
    }),
  );
  /** The merchant grants the app's requested scopes; only declared optional scopes can be requested. */
  store.post("/:store/scopes", async (c) => {
    const requested = z.array(z.string()).parse(await c.req.json());
    const { state, app } = c.var.shop;
    if (state.installation === null || requested.some((scope) => !app.optionalScopes.includes(scope)))
      return c.json({ error: "not declared as optional" }, 400);
    const current = [...new Set([...state.installation.scopes, ...requested])];
    c.var.shop.changeScopes(current);
    return c.json({ granted: current, required: app.scopes, optional: app.optionalScopes });
  });
  store.get("/:store/picker", (c) => {
    const { products, collections } = c.var.shop.state;
    const query = c.req.query("query")?.toLowerCase() ?? "";
    const isFound = ({ title }: { title: string }) => title.toLowerCase().includes(query);
    if (c.req.query("type") === "collection") {
      const found = [...collections.values()].filter(isFound);
      return c.json(found.map(({ id, title }) => ({ id: gid("Collection", id), title })));
    }
    const found = [...products.values()].filter(isFound).slice(0, 100);
    return c.json(
      found.map(({ id, title, variants }) => ({
        id: gid("Product", id),
        title,
        variants: variants.map((variant) => ({
          id: gid("ProductVariant", variant.id),
          title: variant.title,
        })),
      })),
    );
  });

  store.post("/:store/apps/:app/install", (c) => {
    c.var.shop.install();
    return c.redirect(`${base(c.var.shop)}/apps/${c.req.param("app")}`, 303);
  });
  store.get("/:store/apps/:app/:path{.*}?", async (c) => {
    const { shop } = c.var;
    if (c.req.param("app") !== shop.app.name.toLowerCase() && c.req.param("app") !== shop.apiKey)
      return c.text("There is no such app", 404);
    if (shop.state.installation === null) return c.html(installPage(shop));
    const path = `/${c.req.param("path") ?? ""}${new URL(c.req.url).search}`;
    const src = await frameUrl(shop, path);
    return src === null ? c.text("The app's address is not known yet", 503) : c.html(appPage(shop, src));
  });
  app.route("/store", store);
  return app;
}
