/** The states of the quote that an order's uninsured piece gets by itself. */
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

/** Why one is refused or withdrawn. */
export const orderLeadReasons = [
  "refused_by_service",
  "no_offer",
  "order_cancelled",
  "fewer_pieces",
  "suppressed",
  "erased",
] as const;
export type OrderLeadReason = (typeof orderLeadReasons)[number];

/** The delays that a merchant can choose from, in hours after the payment. */
export const leadDelays = [1, 24, 72, 168] as const;
