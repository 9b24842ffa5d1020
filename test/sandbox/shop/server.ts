/** Starts the stand-in of Shopify: one HTTP server with one or several shops. */
import { Hono } from "hono";
import { serveFetch } from "#test/sandbox/listen.ts";
import { adminApi } from "./api/endpoint.ts";
import { adminPages } from "./admin/pages.ts";
import { storeHandle } from "./admin/frame-url.ts";
import { readAppConfiguration } from "./app-configuration.ts";
import { tokenEndpoint } from "./auth/token-endpoint.ts";
import { type AppOptions, ShopSandbox } from "./sandbox.ts";
import { demoShop } from "./seed/demo.ts";
import { productImages } from "./seed/images.ts";
import type { ShopOptions } from "./seed/shop.ts";
import { emptyShop } from "./seed/shop.ts";
import { storefront } from "./storefront/index.ts";
import { enableAppBlocks } from "./theme-editor.ts";

export interface StartOptions extends AppOptions {
  /** 0 or missing: any free port */
  port?: number;
  /** The address to listen on; default: `127.0.0.1`. */
  hostname?: string;
  /** The content of the shops; default: `demo`. */
  seed?: ShopOptions["seed"];
  /** One entry per shop; default: one demo shop. */
  shops?: ShopOptions[];
}

/** The first shop; the others are in `shops`. The app is not installed yet: `install()`. */
export async function startShop(options: StartOptions): Promise<ShopSandbox> {
  const app = readAppConfiguration();
  const shops = new Map<string, ShopSandbox>();
  for (const shopOptions of options.shops ?? [{}]) {
    const state = emptyShop(shopOptions);
    if ((shopOptions.seed ?? options.seed ?? "demo") === "demo") demoShop(state, shopOptions.products);
    const shop = new ShopSandbox(options, app, state, shops);
    if (shop.extensionDir !== null) enableAppBlocks(state, shop.extensionDir);
    shops.set(state.domain, shop);
  }
  const first = shops.values().next().value;
  if (first === undefined) throw new Error("a server needs a shop");

  const server = new Hono();
  server.route(
    "/",
    tokenEndpoint((request) => shops.get(request.headers.get("x-sandbox-shop") ?? first.shopDomain) ?? null),
  );
  server.route("/", adminApi(shops));
  server.route("/", adminPages(shops));
  server.route("/", productImages());
  const storefronts = new Map(
    [...shops.values()].map((shop) => [storeHandle(shop.shopDomain), storefront(shop)]),
  );
  const ownStorefront = storefronts.get(storeHandle(first.shopDomain));
  // Further shops have a host name of their own: `<handle>.localhost`.
  server.all("*", (c) =>
    (
      storefronts.get(new URL(c.req.url).hostname.replace(/\.localhost$/, "")) ??
      ownStorefront ??
      new Hono()
    ).fetch(c.req.raw, c.env),
  );

  const hostname = options.hostname ?? "127.0.0.1";
  const listening = await serveFetch(server.fetch, { port: options.port ?? 0, hostname });
  for (const shop of shops.values()) {
    const host = shop === first ? hostname : `${storeHandle(shop.shopDomain)}.localhost`;
    shop.listensAt(
      `http://${host}:${listening.port}`,
      `http://${hostname}:${listening.port}`,
      listening.close,
    );
  }
  return first;
}
