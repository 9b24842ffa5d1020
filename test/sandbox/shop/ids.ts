/** Ids in Shopify's style: numbers of 13 and 14 digits, unique, the same in every run. */
import type { ShopState } from "./state.ts";

const firstIds = {
  shop: 68_000_000_001n,
  product: 8_612_340_000_001n,
  variant: 45_612_340_000_001n,
  option: 10_912_340_000_001n,
  inventoryItem: 47_712_340_000_001n,
  image: 41_012_340_000_001n,
  collection: 441_230_000_001n,
  publication: 156_120_000_001n,
  market: 26_120_000_001n,
  metafield: 31_012_340_000_001n,
  installation: 501_230_000_001n,
  order: 5_812_340_000_001n,
  line: 14_712_340_000_001n,
  draftOrder: 1_212_340_000_001n,
  draftLine: 58_712_340_000_001n,
  customer: 7_512_340_000_001n,
  refund: 912_340_000_001n,
  refundLine: 612_340_000_001n,
  transaction: 6_912_340_000_001n,
  edit: 78_230_000_001n,
  fulfilment: 5_012_340_000_001n,
  operation: 4_712_340_000_001n,
  webhook: 1_012_340_000_001n,
  address: 9_312_340_000_001n,
  user: 98_230_000_001n,
  validation: 1_230_000_001n,
} as const;
export type IdKind = keyof typeof firstIds;

/** The next id of a kind, the numeric part of the GID as a string. */
export function nextId(state: ShopState, kind: IdKind): string {
  const last = state.lastIds.get(kind);
  // Larger than one, so that no code depends on consecutive ids.
  const next = last === undefined ? firstIds[kind] + shopOffset(state.domain) : last + 32_771n;
  state.lastIds.set(kind, next);
  return next.toString();
}

/** Ids are unique across shops: each shop of a server starts at its own number. */
export function shopOffset(domain: string): bigint {
  let hash = 7;
  for (const char of domain) hash = (hash * 31 + char.charCodeAt(0)) % 99_991;
  return BigInt(hash) * 1_000_003n;
}

/** `gid://shopify/Product/123` */
export function gid(type: string, id: string): string {
  return `gid://shopify/${type}/${id}`;
}

/** The type and the numeric part of a GID; null if the text is none. A trailing `?query` is allowed, as on Shopify. */
export function parseGid(text: string): { type: string; id: string } | null {
  const match = /^gid:\/\/shopify\/([A-Za-z]+)\/([^?/]+)(?:\?.*)?$/.exec(text);
  return match?.[1] !== undefined && match[2] !== undefined ? { type: match[1], id: match[2] } : null;
}
