/**
 * What each member of the shop's staff may see and do in the app: what Shopify lets them do in the shop. One table for
 * all pages and actions; the guard applies it (guard.server.ts).
 */

/** What a page or an action needs. `connection`: the accounts at the insurer and the tokens that open them. */
export const permissions = ["orders", "order_actions", "draft_orders", "products", "connection"] as const;
export type Permission = (typeof permissions)[number];

/** Who may change the connection: the shop's owner, staff who manage orders and products, or all staff. */
export const connectionManagers = ["owner", "managers", "all"] as const;
export type ConnectionManagers = (typeof connectionManagers)[number];

/** A member of staff, as far as Shopify says. */
export interface StaffPermissions {
  /** the owner of the shop's account at Shopify may do everything */
  isOwner: boolean;
  /** the app's scopes that this person has, too; null: Shopify did not say */
  scopes: readonly string[] | null;
}

/** By the start of the address; the first that fits. `see` is for GET, `act` for everything else; null: all staff. */
const rules: readonly [path: string, see: Permission | null, act: Permission | null][] = [
  ["/app/orders", "orders", "order_actions"],
  ["/app/statement", "orders", "order_actions"],
  ["/app/plans", "orders", "order_actions"],
  ["/app/claims", "orders", "order_actions"],
  ["/app/tasks", "orders", "order_actions"],
  ["/app/quotes", "orders", "order_actions"],
  ["/app/history", "orders", "order_actions"],
  ["/app/analytics", "orders", "orders"],
  ["/app/products", null, "products"],
  ["/app/catalogue", null, "products"],
  // Shows what is not saved yet, and saves nothing.
  ["/app/touchpoints/preview", null, null],
  ["/app/touchpoints", null, "products"],
  ["/app/selling", null, "products"],
  ["/app/settings", null, "order_actions"],
  ["/app/connection", null, "connection"],
  ["/staff/orders", "orders", "order_actions"],
  ["/staff/draft-orders", "draft_orders", "draft_orders"],
  // Home, and whatever is added: an action that has no rule is the owner's.
  ["/", null, "connection"],
];

/** What a request of the admin needs; null: nothing. */
export function neededPermission(pathname: string, method: string): Permission | null {
  const address = asMatched(pathname);
  const isOf = (path: string) =>
    path === "/" || address === path || [".", "/"].some((next) => address.startsWith(`${path}${next}`));
  const [, see, act] = rules.find(([path]) => isOf(path)) ?? ["/", "connection", "connection"];
  return isRead(method) ? see : act;
}

/** The address as Remix finds its route by it: decoded, and whatever its capitals. */
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
 * The scope that each permission is: the first of them that the app itself has, because of the others Shopify says
 * nothing. The app has `write_orders` and the draft orders only where the merchant agreed to them.
 */
const scopesOf: Record<Exclude<Permission, "connection">, readonly string[]> = {
  orders: ["read_orders"],
  order_actions: ["write_orders", "read_orders"],
  draft_orders: ["write_draft_orders", "read_orders"],
  products: ["write_products"],
};

/** Shopify does not list `read_x` where `write_x` is granted. */
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

/** Why a member of staff may not: what is missing; or Shopify did not say what they may do, so they only look. */
export type Refusal = Permission | "unknown";

/** @param answer what the app answered, as a page or a fetcher got it */
export function refusalIn(answer: unknown): Refusal | null {
  const refusal =
    typeof answer === "object" && answer !== null && "refusal" in answer ? answer.refusal : null;
  return ([...permissions, "unknown"] as const).find((each) => each === refusal) ?? null;
}

/**
 * @param appScopes what the shop has granted to the app
 * @returns null: they may
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
