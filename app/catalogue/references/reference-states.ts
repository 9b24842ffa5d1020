/**
 * `on_sale`: shoppers can buy it; `not_synced`: the next sync will sell it; `withheld`: something is wrong with it;
 * `vanished`: the service no longer offers it.
 */
export const referenceStates = ["on_sale", "not_synced", "withheld", "vanished"] as const;
/** How the list is sorted; by category, term and band where the address says nothing. */
export const referenceSorts = ["lowest", "highest", "shortest", "longest", "state"] as const;
export type ReferenceSort = (typeof referenceSorts)[number];

export type ReferenceState = (typeof referenceStates)[number];
