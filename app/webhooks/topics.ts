/** The topics of shopify.app.toml. */
export const topics = [
  "orders/paid",
  "orders/cancelled",
  "orders/fulfilled",
  "orders/partially_fulfilled",
  "orders/edited",
  "refunds/create",
  "orders/delete",
  "products/create",
  "products/update",
  "products/delete",
  "shop/update",
  "app/uninstalled",
  "app/scopes_update",
  "customers/data_request",
  "customers/redact",
  "shop/redact",
] as const;
export type Topic = (typeof topics)[number];

const known = new Set<string>(topics);

/** Whether the app handles a header's topic. */
export function isTopic(topic: string): topic is Topic {
  return known.has(topic);
}
