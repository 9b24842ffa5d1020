/** How insurance sells: what is counted, from the ledger of orders. Everything is counted by line of an order. */

export interface AttachmentFigures {
  /** lines with a product that is in an insurance category */
  eligible: number;
  /** of these, where an offer was shown */
  seen: number;
  /** of these, where the shopper chose insurance */
  chosen: number;
  /** of these, that were paid */
  paid: number;
  /** of these, whose insurance is over: cancelled, refunded, removed */
  cancelled: number;
  /** what the plans whose contract is in force cost, minor units of the shop's currency */
  premiumMinor: number;
}

export const dimensions = ["day", "category", "touchpoint", "product", "band"] as const;
export type Dimension = (typeof dimensions)[number];

/** The attachment rate: the share of eligible lines with paid insurance. Null where nothing was eligible. */
export function attachmentRate({ eligible, paid }: AttachmentFigures): number | null {
  return eligible === 0 ? null : paid / eligible;
}

/** Where the price bands of the statistics begin, in units of the currency; the first begins at 0. */
export const bandStarts = [100, 200, 300, 500, 750, 1_000, 1_500, 2_000] as const;
