/** The fields of Shopify's fulfilment orders that manual fulfilment needs. */

/** Optional scopes in shopify.app.toml: the app requests them in the admin. */
export const fulfilmentScopes = [
  "read_merchant_managed_fulfillment_orders",
  "write_merchant_managed_fulfillment_orders",
] as const;

export const includesFulfilment = (granted: readonly string[]): boolean =>
  // A write scope includes the read scope, and Shopify may list only the write scope.
  granted.includes("write_merchant_managed_fulfillment_orders");

export interface FulfilmentLine {
  /** id of the fulfilment order */
  id: string;
  /** the order's line, numeric */
  lineId: string;
  /** items of the line that are still in the order */
  currentQuantity: number;
  /** those that are not fulfilled */
  remainingQuantity: number;
}

export interface FulfilmentOrder {
  id: string;
  /** open for manual fulfilment; not on hold, scheduled or assigned to a fulfilment service */
  isOpen: boolean;
  lines: FulfilmentLine[];
}
