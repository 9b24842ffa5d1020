/** Starts the stand-in of the shop platform: one HTTP server, one or several shops. */
import { Hono } from "hono";
import { Faults } from "#test/sandbox/faults.ts";
import { serveFetch } from "#test/sandbox/listen.ts";
import { adminApi, adminApiOf } from "./api/endpoint.ts";
import { staff, staffMember } from "./admin/staff.ts";
import { adminPages } from "./admin/pages.ts";
import { storeHandle } from "./admin/frame-url.ts";
import { readAppConfiguration } from "./app-configuration.ts";
import type { AppConfiguration } from "./app-configuration.ts";
import { tokenEndpoint } from "./auth/token-endpoint.ts";
import { Tokens } from "./auth/tokens.ts";
import { emitShopEvent } from "./events.ts";
import { nextId } from "./ids.ts";
import { metafieldsOf, removeMetafield } from "./metafields.ts";
import type { ShopSandbox } from "./sandbox.ts";
import { demoShop } from "./seed/demo.ts";
import { productImages } from "./seed/images.ts";
import type { ShopOptions } from "./seed/shop.ts";
import { emptyShop } from "./seed/shop.ts";
import type { ShopState } from "./state.ts";
import { storefront } from "./storefront/index.ts";
import { enableAppBlocks } from "./theme-editor.ts";
import { Webhooks } from "./webhooks/webhooks.ts";
import type { WebhookBehaviour } from "./webhooks/webhooks.ts";

export interface StartOptions {
  /** 0 or missing: a free one */
  port?: number;
  /** The address to listen on; `127.0.0.1` where missing. */
  hostname?: string;
  apiKey: string;
  apiSecret: string;
  appUrl?: string;
  /** The folder of the theme app extension. */
  extensionDir?: string;
  /** What is in the shops; `demo` where missing. */
  seed?: ShopOptions["seed"];
  /** One entry per shop; one demo shop where missing. */
  shops?: ShopOptions[];
  webhooks?: Partial<WebhookBehaviour>;
}

/** The first shop; the others are in `shops`. The app is not installed yet: `install()`. */
export async function startShop(options: StartOptions): Promise<ShopSandbox> {
  const app = readAppConfiguration();
  const shops = new Map<string, Shop>();
  for (const shopOptions of options.shops ?? [{}]) {
    const state = emptyShop(shopOptions);
    if ((shopOptions.seed ?? options.seed ?? "demo") === "demo") demoShop(state);
    const shop = new Shop(options, app, state, shops);
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

class Shop implements ShopSandbox {
  readonly state: ShopState;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly app: AppConfiguration;
  readonly tokens: Tokens;
  readonly webhooks: Webhooks;
  readonly api: ShopSandbox["api"];
  loggedIn = staffMember(staff.id);
  readonly faults = new Faults();
  readonly extensionDir: string | null;
  readonly shops: ReadonlyMap<string, ShopSandbox>;
  #appUrl: string | null;
  #origin = "";
  #adminOrigin = "";
  #close: () => Promise<void> = () => Promise.resolve();

  constructor(
    options: StartOptions,
    app: AppConfiguration,
    state: ShopState,
    shops: ReadonlyMap<string, ShopSandbox>,
  ) {
    this.state = state;
    this.apiKey = options.apiKey;
    this.apiSecret = options.apiSecret;
    this.app = app;
    this.shops = shops;
    this.extensionDir = options.extensionDir ?? null;
    this.#appUrl = options.appUrl?.replace(/\/$/, "") ?? null;
    this.tokens = new Tokens(state.domain);
    this.webhooks = new Webhooks(
      { state, app, apiSecret: options.apiSecret, appUrl: () => this.#appUrl },
      options.webhooks,
    );
    this.api = adminApiOf(this);
  }

  get shopDomain(): string {
    return this.state.domain;
  }

  get origin(): string {
    return this.#origin;
  }

  get adminUrl(): string {
    return `${this.#adminOrigin}/store/${storeHandle(this.shopDomain)}/apps/${this.app.name.toLowerCase()}`;
  }

  get appUrl(): string | null {
    return this.#appUrl;
  }

  listensAt(origin: string, adminOrigin: string, close: () => Promise<void>): void {
    this.#origin = origin;
    this.#adminOrigin = adminOrigin;
    this.#close = close;
  }

  setAppUrl(url: string): void {
    for (const shop of this.shops.values()) if (shop instanceof Shop) shop.#appUrl = url.replace(/\/$/, "");
  }

  install(): void {
    const previous = this.state.installation;
    this.state.installation = {
      id: previous?.id ?? nextId(this.state, "installation"),
      apiKey: this.apiKey,
      scopes: this.app.scopes,
    };
  }

  changeScopes(scopes: string[]): void {
    const { installation } = this.state;
    if (installation === null) throw new Error("The app is not installed");
    this.state.installation = { ...installation, scopes };
    emitShopEvent(this.state, {
      topic: "app/scopes_update",
      previous: installation.scopes,
      current: scopes,
    });
  }

  uninstall(): void {
    const { installation } = this.state;
    if (installation === null) return;
    // The platform deletes the app's own data with the installation.
    const owner = `gid://shopify/AppInstallation/${installation.id}`;
    for (const { namespace, key } of metafieldsOf(this.state, owner))
      removeMetafield(this.state, owner, namespace, key);
    this.tokens.revokeAll();
    this.state.installation = null;
    emitShopEvent(this.state, { topic: "app/uninstalled" });
  }

  async close(): Promise<void> {
    for (const shop of this.shops.values()) shop.webhooks.close();
    await this.#close();
  }
}
