/** Why a unit is not simply insured, as codes; app/ui/locales has their texts. */

/** What the check of a paid plan line against the catalogue can find. The unit then becomes a task and is never issued silently. */
export const findings = [
  /** an order without money, in a shop whose account is the one for production */
  "test_order",
  /** the plan's reference is not in the merchant's catalogue */
  "unknown_reference",
  /** the plan belongs to another account than the one in use when it was bought, or the order's plans have two */
  "other_account",
  /** the order has no line that the plan insures */
  "no_insured_line",
  /** the plan line has more items than the line it insures */
  "more_plans_than_products",
  /** the product's price is not in the offer's price band */
  "outside_price_band",
  /** the product is not of the offer's category */
  "wrong_category",
  /** the offer is for another product */
  "wrong_product",
  /** the plan's price before discounts is not the offer's price, which the insurer is owed */
  "wrong_price",
  /** the order was paid in a currency that the offer does not have, and its conversion is not the offer's price */
  "other_currency",
  /** discounts left nothing to pay for the plan */
  "free_plan",
  /** a discount was meant for the plan, and the merchant's setting is to decide each one */
  "discounted_plan",
  /** the order does not say that the customer agreed to the insurance */
  "no_consent",
] as const;
export type Finding = (typeof findings)[number];

export const reasons = [
  ...findings,
  /** the plan request lacks something of the customer */
  "missing_customer_data",
  /** the customer's data was deleted before the plan could be created */
  "customer_erased",
  /** the service refused the plan */
  "refused_by_service",
  /** the service's response and its list of contracts do not say whether the contract is in force */
  "contract_unclear",
  /** the service cannot cancel one contract of several */
  "manual_cancellation",
] as const;
export type Reason = (typeof reasons)[number];
