/** One shop of the running stand-in: its interface for the stand-in's parts, for tests and for scripts. */
import type { Elsewhere } from "./elsewhere.ts";
import { Faults } from "#test/sandbox/faults.ts";
import { storeHandle } from "./admin/frame-url.ts";
import { staff, staffMember } from "./admin/staff.ts";
import { AdminApi } from "./api/endpoint.ts";
import type { AppConfiguration } from "./app-configuration.ts";
import { Tokens } from "./auth/tokens.ts";
import { emitShopEvent } from "./events.ts";
import { nextId } from "./ids.ts";
import { metafieldsOf, removeMetafield } from "./metafields.ts";
import type { ShopState } from "./state.ts";
import { Webhooks } from "./webhooks/webhooks.ts";
import type { WebhookBehaviour } from "./webhooks/webhooks.ts";

export interface AppOptions {
  apiKey: string;
  apiSecret: string;
  appUrl?: string;
  /** The folder of the theme app extension. */
  extensionDir?: string;
  webhooks?: Partial<WebhookBehaviour>;
}

export class ShopSandbox {
  readonly state: ShopState;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** The app's declarations in shopify.app.toml: scopes, app proxy, webhooks. */
  readonly app: AppConfiguration;
  /** All shops of the same server. */
  readonly shops: ReadonlyMap<string, ShopSandbox>;
  /** The folder of the theme app extension (`extensions/parasol-storefront`); null: none. */
  readonly extensionDir: string | null;
  readonly tokens: Tokens;
  readonly webhooks: Webhooks;
  /** The Admin API's bucket, bulk operations and usage. */
  readonly api: AdminApi;
  /** The signed-in member of staff. */
  loggedIn = staffMember(staff.id);
  /** The faults of the app's next requests. */
  readonly faults = new Faults();
  #appUrl: string | null = null;
  #origin = "";
  #adminOrigin = "";
  #close: () => Promise<void> = () => Promise.resolve();

  constructor(
    options: AppOptions,
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
    this.tokens = new Tokens();
    this.webhooks = new Webhooks(
      { state, app, apiSecret: options.apiSecret, appUrl: () => this.#appUrl },
      options.webhooks,
    );
    this.api = new AdminApi(state, () => this.#origin);
  }

  /** `parasol-demo.myshopify.com` */
  get shopDomain(): string {
    return this.state.domain;
  }

  /** The storefront's URL without a trailing slash: `http://127.0.0.1:4010`. */
  get origin(): string {
    return this.#origin;
  }

  /** The admin page with the app in its iframe. */
  get adminUrl(): string {
    return `${this.#adminOrigin}/store/${storeHandle(this.shopDomain)}/apps/${this.app.name.toLowerCase()}`;
  }

  /** The app's URL without a trailing slash; null until it is known. */
  get appUrl(): string | null {
    return this.#appUrl;
  }

  listensAt(origin: string, adminOrigin: string, close: () => Promise<void>): void {
    this.#origin = origin;
    this.#adminOrigin = adminOrigin;
    this.#close = close;
  }

  setAppUrl(url: string): void {
    for (const shop of this.shops.values()) shop.#appUrl = url.replace(/\/$/, "");
  }

  /** Public addresses that the stand-ins serve elsewhere; none in tests. */
  elsewhere: Elsewhere = {};

  /** Grants the declared scopes, as Shopify's managed installation does. It does not call the app. */
  install(): void {
    const id = this.state.installation?.id ?? nextId(this.state, "installation");
    this.state.installation = { id, scopes: this.app.scopes };
  }

  /** The merchant grants or revokes scopes of the app. */
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

  /** Revokes the tokens and notifies the app (app/uninstalled). */
  uninstall(): void {
    const { installation } = this.state;
    if (installation === null) return;
    // Shopify deletes the app's own data together with the installation.
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
