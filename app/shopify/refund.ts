/** How a refund is spread over the payments of an order. */

/** A payment that money can go back to, as the platform suggests. */
interface SuggestedTransaction {
  gateway: string;
  /** the payment's id */
  parentId: string | null;
  /** minor units of the currency that the customer paid in */
  amountMinor: number;
  /** the most that can go back to it */
  maximumMinor: number;
}

/**
 * The amount of each payment that is paid back, in the order of the suggestion; payments that get nothing are left out.
 * @param wantedMinor null: as suggested
 * @returns null where the payments do not hold the amount
 */
export function spreadRefund(
  suggested: readonly SuggestedTransaction[],
  wantedMinor: number | null,
): SuggestedTransaction[] | null {
  if (wantedMinor === null) return suggested.filter(({ amountMinor }) => amountMinor > 0);
  let owed = wantedMinor;
  const spread = suggested.map((transaction) => {
    const amountMinor = Math.min(owed, transaction.maximumMinor);
    owed -= amountMinor;
    return { ...transaction, amountMinor };
  });
  return owed > 0 ? null : spread.filter(({ amountMinor }) => amountMinor > 0);
}
