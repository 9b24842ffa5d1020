/** Fulfilment orders of Shopify, as far as fulfilling by hand needs them. */

/** Optional in shopify.app.toml: requested in the admin. */
export const fulfilmentScopes = [
  "read_merchant_managed_fulfillment_orders",
  "write_merchant_managed_fulfillment_orders",
] as const;

export const includesFulfilment = (granted: readonly string[]): boolean =>
  // A scope that writes reads, too, and Shopify may list the one alone.
  granted.includes("write_merchant_managed_fulfillment_orders");

export interface FulfilmentLine {
  /** of the fulfilment order */
  id: string;
  /** the order's line, numeric */
  lineId: string;
  /** items of the line that the order still has */
  currentQuantity: number;
  /** of those, what is not fulfilled */
  remainingQuantity: number;
}

export interface FulfilmentOrder {
  id: string;
  /** open for a fulfilment by hand; not on hold, scheduled or handed to a fulfilment service */
  isOpen: boolean;
  lines: FulfilmentLine[];
}
