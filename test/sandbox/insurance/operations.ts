/** The names of the eleven endpoints: faults are set on them and requests are counted by them. */
export const operations = [
  "offers.list",
  "categories.list",
  "plans.list",
  "plans.get",
  "plans.create",
  "leads.create",
  "claims.list",
  "orders.record",
  "orders.cancel",
  "analytics.sales",
  "analytics.commissions",
] as const;
export type Operation = (typeof operations)[number];

const STORE = String.raw`^/api/v2/store/[^/]+`;
const routes: [string, RegExp, Operation][] = [
  ["GET", new RegExp(`${STORE}/offers$`), "offers.list"],
  ["GET", new RegExp(`${STORE}/categories$`), "categories.list"],
  ["GET", new RegExp(`${STORE}/plans$`), "plans.list"],
  ["POST", new RegExp(`${STORE}/plans$`), "plans.create"],
  ["GET", new RegExp(`${STORE}/plans/[^/]+$`), "plans.get"],
  ["POST", new RegExp(`${STORE}/leads$`), "leads.create"],
  ["GET", new RegExp(`${STORE}/claims$`), "claims.list"],
  ["POST", new RegExp(`${STORE}/orders$`), "orders.record"],
  ["PATCH", new RegExp(`${STORE}/orders/[^/]+/cancel$`), "orders.cancel"],
  ["GET", /^\/organizations\/analytics\/sales$/, "analytics.sales"],
  ["GET", /^\/organizations\/analytics\/commissions$/, "analytics.commissions"],
];

/** Which endpoint a request is for; null for pages, control and unknown paths. */
export function operationOf(method: string, path: string): Operation | null {
  return routes.find(([verb, pattern]) => verb === method && pattern.test(path))?.[2] ?? null;
}
