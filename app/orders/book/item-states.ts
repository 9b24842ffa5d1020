/** The words of lists and pages for an insured item: its state, why it is in it, and what the check of its sale found. */

/** What the check of a paid plan line against the catalogue can find. The item then becomes a task and is never issued silently. */
export const findings = [
  /** an order without money, in a shop whose account is the one for production */
  "test_order",
  /** the plan belongs to another account than the one in use when it was bought, or the order's plans have two */
  "other_account",
  /** the order has no line that the plan insures */
  "no_insured_line",
  /** it was sold for a bundle, and the order does not say which lines make it up */
  "bundle_component",
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
  /** it is delivered to a country that the merchant does not sell to */
  "other_country",
  /** a company bought, and the merchant sells to consumers alone */
  "company",
  /** the yearly premium needs a registered intermediary, and the merchant has named no registration */
  "yearly_premium",
  /** it is paid by the month, and the merchant has not confirmed who collects the payments */
  "monthly",
  /** discounts left nothing to pay for the plan */
  "free_plan",
  /** the order does not say that the customer agreed to the insurance */
  "no_consent",
] as const;
export type Finding = (typeof findings)[number];

/** The more telling one of two findings: that of the check made first. */
export const worseFinding = (a: Finding | null, b: Finding): Finding =>
  a !== null && findings.indexOf(a) < findings.indexOf(b) ? a : b;

export const reasons = [
  ...findings,
  /** the plan request lacks something of the customer */
  "missing_customer_data",
  /** the customer's data was deleted before the plan could be created */
  "customer_erased",
  /** the insurer refused the plan */
  "refused_by_insurer",
  /** the insurer's response and its list of contracts do not say whether the contract is in force */
  "contract_unclear",
  /** the insurer cannot cancel one contract of several */
  "manual_cancellation",
] as const;
export type Reason = (typeof reasons)[number];

export const itemStates = [
  /** to be created */
  "pending",
  /** its creation is being sent to the insurer right now */
  "creating",
  /** its creation was sent and the outcome is not known: look it up before sending again */
  "unknown",
  /** a contract is in force */
  "active",
  /** the insurer refused; nothing was created */
  "refused",
  /** its cancellation is being sent to the insurer */
  "cancelling",
  /** final: no contract, or a cancelled one */
  "cancelled",
  /** a person has to decide; a task says what */
  "attention",
] as const;
export type ItemState = (typeof itemStates)[number];

/** Whether a contract is, or may be, in force: what a cancellation has to end. */
export function mayHaveContract(item: { state: ItemState; contractId: string | null }): boolean {
  return (
    item.state === "creating" ||
    item.state === "unknown" ||
    (item.contractId !== null && item.state !== "cancelled")
  );
}
