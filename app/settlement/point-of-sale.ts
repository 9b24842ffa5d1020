/** Which of the organisation's points of sale is this shop: the insurer's numbers do not say. */

export interface PointOfSale {
  storeId: string;
  store: string;
  storeExternalId: string;
}

/**
 * @param connectedStore the store of the shop's account, which may be any of the two identifiers
 * @param soldBy the points of sale that sold contracts of this shop, and how many
 * @returns null: not known. A guess would put the commissions of another shop into this one's balance
 */
export function ownPointOfSale(
  stores: readonly PointOfSale[],
  connectedStore: string,
  soldBy: readonly { storeId: string; contracts: number }[],
): string | null {
  // Contracts may be booked on a wrong point of sale: all of them together do not make it this shop.
  const connected = stores.find((each) => [each.storeId, each.storeExternalId].includes(connectedStore));
  if (connected) return connected.storeId;
  const [most] = soldBy.toSorted((a, b) => b.contracts - a.contracts);
  return most?.storeId ?? null;
}
