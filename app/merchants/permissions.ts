/**
 * The permissions of the shop's staff in the app, which follow their permissions in Shopify. One table for all pages
 * and actions; the guard applies it (guard.server.ts).
 */

/** The permission that a page or an action needs. `connection`: the accounts at the insurer and their tokens. */
export const permissions = ["orders", "order_actions", "draft_orders", "products", "connection"] as const;
export type Permission = (typeof permissions)[number];

/** Who may change the connection: the shop's owner, staff who manage orders and products, or all staff. */
export const connectionManagers = ["owner", "managers", "all"] as const;
export type ConnectionManagers = (typeof connectionManagers)[number];

/** A staff member's permissions from Shopify. */
export interface StaffPermissions {
  /** the owner of the shop's Shopify account, who may do everything */
  isOwner: boolean;
  /** the app's scopes that this person also has; null: Shopify did not send them */
  scopes: readonly string[] | null;
}

/**
 * By the start of the path; the first match counts. `see` is for GET, `act` for all other methods; null: all staff.
 */
const rules: readonly [path: string, see: Permission | null, act: Permission | null][] = [
  ["/app/orders", "orders", "order_actions"],
  ["/app/statement", "orders", "order_actions"],
  ["/app/plans", "orders", "order_actions"],
  ["/app/claims", "orders", "order_actions"],
  ["/app/tasks", "orders", "order_actions"],
  ["/app/quotes", "orders", "order_actions"],
  ["/app/history", "orders", "order_actions"],
  ["/app/analytics/settlement", "orders", "order_actions"],
  ["/app/analytics", "orders", "orders"],
  ["/app/products", null, "products"],
  ["/app/catalogue", null, "products"],
  // Shows unsaved settings and saves nothing.
  ["/app/touchpoints/preview", null, null],
  ["/app/touchpoints", null, "products"],
  ["/app/selling", null, "products"],
  ["/app/settings", null, "order_actions"],
  ["/app/connection", null, "connection"],
  ["/staff/orders", "orders", "order_actions"],
  ["/staff/draft-orders", "draft_orders", "draft_orders"],
  // Home and all other paths: only the owner may run an action without a rule.
  ["/", null, "connection"],
];

/** The permission that an admin request needs; null: none. */
export function neededPermission(pathname: string, method: string): Permission | null {
  const address = asMatched(pathname);
  const isOf = (path: string) =>
    path === "/" || address === path || [".", "/"].some((next) => address.startsWith(`${path}${next}`));
  const [, see, act] = rules.find(([path]) => isOf(path)) ?? ["/", "connection", "connection"];
  return isRead(method) ? see : act;
}

/** The path as Remix matches it: decoded and in lower case. */
function asMatched(pathname: string): string {
  try {
    return pathname.split("/").map(decodeURIComponent).join("/").toLowerCase();
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return pathname.toLowerCase();
  }
}

export const isRead = (method: string): boolean => method === "GET" || method === "HEAD";

/**
 * The scopes of each permission. The first one that the app itself has decides, because Shopify reports no others.
 * The app has `write_orders` and the draft order scopes only after the merchant's consent.
 */
const scopesOf: Record<Exclude<Permission, "connection">, readonly string[]> = {
  orders: ["read_orders"],
  order_actions: ["write_orders", "read_orders"],
  draft_orders: ["write_draft_orders", "read_orders"],
  products: ["write_products"],
};

/** Shopify does not list `read_x` if `write_x` is granted. */
export function isGranted(scope: string, granted: readonly string[]): boolean {
  return (
    granted.includes(scope) ||
    (scope.startsWith("read_") && granted.includes(scope.replace("read_", "write_")))
  );
}

function hasScope(
  permission: Exclude<Permission, "connection">,
  scopes: readonly string[],
  appScopes: readonly string[],
): boolean {
  const candidates = scopesOf[permission];
  const scope = candidates.find((each) => isGranted(each, appScopes)) ?? candidates[0] ?? "";
  return isGranted(scope, scopes);
}

/**
 * Why a staff member is refused: the missing permission, or `unknown` if Shopify did not send their permissions, so
 * they may only read.
 */
export type Refusal = Permission | "unknown";

/** Why a person may not act, by the permission that an action needs; a permission that they have is missing. */
export type ActRefusals = Partial<Record<Permission, Refusal>>;

/** @param answer the app's answer to a page or a fetcher */
export function refusalIn(answer: unknown): Refusal | null {
  const refusal =
    typeof answer === "object" && answer !== null && "refusal" in answer ? answer.refusal : null;
  return ([...permissions, "unknown"] as const).find((each) => each === refusal) ?? null;
}

/**
 * @param appScopes the scopes that the shop has granted to the app
 * @returns null: allowed
 */
export function refusalOf(
  { isOwner, scopes }: StaffPermissions,
  needed: { permission: Permission | null; isRead: boolean },
  appScopes: readonly string[],
  managers: ConnectionManagers,
): Refusal | null {
  const { permission } = needed;
  if (isOwner || permission === null) return null;
  if (scopes === null) return needed.isRead ? null : "unknown";
  if (permission !== "connection") return hasScope(permission, scopes, appScopes) ? null : permission;
  const isManager = hasScope("order_actions", scopes, appScopes) && hasScope("products", scopes, appScopes);
  return managers === "all" || (managers === "managers" && isManager) ? null : permission;
}
