/** The states of the quote of an order's uninsured item, whether automatic or made by staff. */
export const orderLeadStates = [
  /** pending: not requested yet */
  "due",
  /** its request is being sent right now */
  "sending",
  /**
   * The request was sent and its outcome is not known. The service shows no leads, so nobody can look; it is never sent
   * again, because a customer with two quotes is worse off than one with none.
   */
  "unknown",
  /** made: the customer may use it until it expires */
  "open",
  /** the service refused it, or has no offer */
  "refused",
  /** revoked: the item was returned, insured otherwise, or its customer wants none */
  "withdrawn",
  /** a contract of it was found among the plans */
  "sold",
] as const;
export type OrderLeadState = (typeof orderLeadStates)[number];

/** Why one is refused or withdrawn; of a sold one, why its item is gone. */
export const orderLeadReasons = [
  "refused_by_service",
  "no_offer",
  "order_cancelled",
  "fewer_pieces",
  "suppressed",
  "erased",
] as const;
export type OrderLeadReason = (typeof orderLeadReasons)[number];

/** The delay of a quote that staff requested: they send its link themselves, so no workflow does. */
export const BY_STAFF = 0;

/** The delays that a merchant can choose from, in hours after the payment. */
export const leadDelays = [1, 24, 72, 168] as const;

/** Whether an item with such a quote gets no second one: it may be used, was used, or may have been made. */
export function blocksNewQuote(
  { state, expiresOn }: { state: string; expiresOn: string | null },
  today: string,
): boolean {
  if (state === "open") return expiresOn === null || expiresOn.slice(0, 10) >= today;
  return state !== "refused" && state !== "withdrawn";
}
