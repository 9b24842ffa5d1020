/** What one shop of the running stand-in offers to its parts, to tests and to scripts. */
import type { Faults } from "#test/sandbox/faults.ts";
import type { AdminApi } from "./api/endpoint.ts";
import type { StaffMember } from "./admin/staff.ts";
import type { AppConfiguration } from "./app-configuration.ts";
import type { ShopState } from "./state.ts";
import type { Tokens } from "./auth/tokens.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";

export interface ShopSandbox {
  /** The address of the storefront, without a slash at the end: `http://127.0.0.1:4010`. */
  readonly origin: string;
  /** `parasol-demo.myshopify.com` */
  readonly shopDomain: string;
  /** The admin page with the app in its iframe. */
  readonly adminUrl: string;
  readonly state: ShopState;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Where the app answers, without a slash at the end; null until it is known. */
  readonly appUrl: string | null;
  /** The folder of the theme app extension (`extensions/parasol-storefront`); null where there is none. */
  readonly extensionDir: string | null;
  /** What the app declares in shopify.app.toml: scopes, app proxy, webhooks. */
  readonly app: AppConfiguration;
  readonly tokens: Tokens;
  readonly webhooks: Webhooks;
  /** Who is logged in to the admin. */
  loggedIn: StaffMember;
  /** The Admin API's bucket, bulk operations and usage. */
  readonly api: AdminApi;
  /** What goes wrong with the app's next requests. */
  readonly faults: Faults;
  /** The other shops of the same server. */
  readonly shops: ReadonlyMap<string, ShopSandbox>;
  setAppUrl(url: string): void;
  /** Grants the declared scopes, as the platform's managed installation does. Does not call the app. */
  install(): void;
  /** The merchant grants scopes of the app, or takes them back. */
  changeScopes(scopes: string[]): void;
  /** Revokes the tokens and notifies the app (app/uninstalled). */
  uninstall(): void;
  close(): Promise<void>;
}
