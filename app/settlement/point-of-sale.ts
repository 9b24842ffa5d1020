/** Which of the organisation's points of sale is this shop: the insurer's numbers do not say. */

export interface PointOfSale {
  storeId: string;
  store: string;
  storeExternalId: string;
}

/**
 * @param connectedStore the store of the shop's account, which may be any of the two identifiers
 * @param soldBy the points of sale that sold contracts of this shop, and how many
 * @returns null: none of them can be told to be this shop
 */
export function ownPointOfSale(
  stores: readonly PointOfSale[],
  connectedStore: string,
  soldBy: readonly { storeId: string; contracts: number }[],
): string | null {
  const [most] = soldBy.toSorted((a, b) => b.contracts - a.contracts);
  if (most) return most.storeId;
  const connected = stores.find((each) => [each.storeId, each.storeExternalId].includes(connectedStore));
  if (connected) return connected.storeId;
  return stores.length === 1 ? (stores[0]?.storeId ?? null) : null;
}
