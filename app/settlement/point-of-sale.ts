/** Which of the organisation's points of sale are this shop: the insurer's figures do not say. */

export interface PointOfSale {
  storeId: string;
  store: string;
  storeExternalId: string;
}

/** With its number in the merchant's own systems, which tells two of one name apart. */
export const nameOfStore = ({ store, storeExternalId }: PointOfSale): string =>
  storeExternalId === "" ? store : `${store} (${storeExternalId})`;

/**
 * Why these are this shop's. `connected`: it is the store of the connected account; `only`: the insurer shows no other,
 * and it has sold contracts of this shop.
 */
export type OwnReason = "chosen" | "only" | "connected";

/** The shop's points of sale; null: the merchant has to say it, and nothing is settled with the insurer until then. */
export type OwnPointsOfSale = { storeIds: readonly string[]; reason: OwnReason } | null;

/**
 * A guess would put the commissions of another shop into this one's balance.
 * @param chosen by the merchant
 * @param connectedStore the store of the shop's account, which may be any of the two identifiers
 * @param mostSelling the one that sold most of the shop's contracts. Stores are known from sales alone, so the only one
 * may be another shop while this one has sold nothing
 */
export function ownPointsOfSale(
  stores: readonly PointOfSale[],
  chosen: readonly string[],
  connectedStore: string,
  mostSelling: string | null,
): OwnPointsOfSale {
  const known = stores.map(({ storeId }) => storeId).filter((storeId) => chosen.includes(storeId));
  // One that the insurer shows no more may have another number now, under which it goes on earning.
  if (chosen.length > 0) return known.length < chosen.length ? null : { storeIds: known, reason: "chosen" };
  const [connected, ...alsoFitting] = stores.filter(({ storeId, storeExternalId }) =>
    [storeId, storeExternalId].includes(connectedStore),
  );
  if (connected)
    return alsoFitting.length > 0 ? null : { storeIds: [connected.storeId], reason: "connected" };
  const [first, ...others] = stores;
  const isOnly = first !== undefined && others.length === 0 && first.storeId === mostSelling;
  return isOnly ? { storeIds: [first.storeId], reason: "only" } : null;
}
