/** What one shop of the running stand-in offers to its parts, to tests and to scripts. */
import type { AdminApi } from "./admin/api/endpoint.ts";
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
  /** Faults of the Admin API that are switched on. */
  readonly faults: AdminFaults;
  /** The other shops of the same server. */
  readonly shops: ReadonlyMap<string, ShopSandbox>;
  setAppUrl(url: string): void;
  /** Grants the declared scopes, as the platform's managed installation does. Does not call the app. */
  install(): void;
  /** Revokes the tokens and notifies the app (app/uninstalled). */
  uninstall(): void;
  close(): Promise<void>;
}

/** Switched on by tests; 0 and empty mean off. */
export interface AdminFaults {
  /** Milliseconds before each answer of the Admin API. */
  latencyMs: number;
  /** Answer the next `times` calls with this status (500, 429, …), of all or of those that name an operation. */
  failNext: { status: number; times: number; operation?: string | undefined } | null;
  /** What a single query may cost at most; null: as on the platform. */
  maximumCost: number | null;
  /** Answer every n-th operation of the Admin API with THROTTLED; null: only when the bucket is empty. */
  throttleEvery: number | null;
  /** The app's version was deployed without its Functions. */
  lacksFunctions: boolean;
  /** Same as failNext, for the token endpoint. */
  failNextToken: { status: number; times: number } | null;
}
