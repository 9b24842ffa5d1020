/** Which of the organisation's points of sale are this shop: the insurer's figures do not say. */

export interface PointOfSale {
  storeId: string;
  store: string;
  storeExternalId: string;
}

/** With its number in the merchant's own systems, which tells two of one name apart. */
export const nameOfStore = ({ store, storeExternalId }: PointOfSale): string =>
  storeExternalId === "" ? store : `${store} (${storeExternalId})`;

/** Why these are this shop's. `only`: the insurer knows no other; `connected`: it is the store of the connected account. */
export type OwnReason = "chosen" | "only" | "connected";

/** The shop's points of sale; null: the merchant has to say it, and nothing is settled with the insurer until then. */
export type OwnPointsOfSale = { storeIds: readonly string[]; reason: OwnReason } | null;

/**
 * A guess would put the commissions of another shop into this one's balance.
 * @param chosen by the merchant
 * @param connectedStore the store of the shop's account, which may be any of the two identifiers
 */
export function ownPointsOfSale(
  stores: readonly PointOfSale[],
  chosen: readonly string[],
  connectedStore: string,
): OwnPointsOfSale {
  const known = stores.map(({ storeId }) => storeId).filter((storeId) => chosen.includes(storeId));
  if (known.length > 0) return { storeIds: known, reason: "chosen" };
  const [first, ...others] = stores;
  if (first && others.length === 0) return { storeIds: [first.storeId], reason: "only" };
  const connected = stores.find((each) => [each.storeId, each.storeExternalId].includes(connectedStore));
  return connected ? { storeIds: [connected.storeId], reason: "connected" } : null;
}
