/** The states of the quote of an order's uninsured piece, which it gets by itself or from staff. */
export const orderLeadStates = [
  /** to be asked for */
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
  /** not to be used any more: the piece was returned, insured otherwise, or its customer wants none */
  "withdrawn",
  /** a contract of it was found among the plans */
  "sold",
] as const;
export type OrderLeadState = (typeof orderLeadStates)[number];

/** Why one is refused or withdrawn; of a sold one, why its piece is gone. */
export const orderLeadReasons = [
  "refused_by_service",
  "no_offer",
  "order_cancelled",
  "fewer_pieces",
  "suppressed",
  "erased",
] as const;
export type OrderLeadReason = (typeof orderLeadReasons)[number];

/** The delay of a quote that staff asked for: they send its link themselves, so no workflow does. */
export const BY_STAFF = 0;

/** The delays that a merchant can choose from, in hours after the payment. */
export const leadDelays = [1, 24, 72, 168] as const;

/** Whether a piece with such a quote gets no second one: it may be used, was used, or may have been made. */
export function stands(
  { state, expiresOn }: { state: string; expiresOn: string | null },
  today: string,
): boolean {
  if (state === "open") return expiresOn === null || expiresOn.slice(0, 10) >= today;
  return state !== "refused" && state !== "withdrawn";
}
