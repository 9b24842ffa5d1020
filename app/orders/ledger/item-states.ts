/** The states of an insured item, every transition between them, and why an item is in its state. An item changes its state in no other way. */

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
  /** it is paid by the month, and the merchant has not said that somebody collects */
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

interface Transition {
  from: readonly ItemState[];
  to: ItemState;
}

export const transitions = {
  /** the request is about to be sent */
  send: { from: ["pending"], to: "creating" },
  /** the insurer responded with a contract */
  created: { from: ["creating"], to: "active" },
  /** the insurer refused the request */
  refused: { from: ["creating"], to: "refused" },
  /** certainly nothing was done (unreachable, token not accepted): send again later */
  deferred: { from: ["creating"], to: "pending" },
  /** no response, none that can be read, or a refusal that may come after the work (rate limited, not found, forbidden) */
  response_lost: { from: ["creating"], to: "unknown" },
  /** the insurer responded with a status other than active, another item's contract number, or a conflict */
  doubted: { from: ["creating"], to: "unknown" },
  /** the worker that was sending is gone (killed, or stopped past the end of its lease) */
  worker_lost: { from: ["creating"], to: "unknown" },
  /** the insurer has a contract of the order that no item has: it may be this item's (after a restored backup, say) */
  possible_match: { from: ["pending", "refused", "attention"], to: "unknown" },
  /** its order is older than the restored backup: its contract may have been created after the backup's last moment */
  restored: { from: ["pending"], to: "unknown" },
  /** looked up: the contract is there */
  found: { from: ["unknown"], to: "active" },
  /** looked up once that was conclusive: there is none */
  not_found: { from: ["unknown"], to: "pending" },
  /** not to be insured, and there is no contract */
  withdrawn: { from: ["pending", "refused", "attention"], to: "cancelled" },
  /** the order's cancellation is about to be sent */
  cancel: { from: ["active", "attention"], to: "cancelling" },
  /** the insurer cancelled the contract */
  cancelled: { from: ["cancelling"], to: "cancelled" },
  /** looked up: somebody cancelled the contract at the insurer */
  found_cancelled: { from: ["unknown", "active", "attention", "cancelling"], to: "cancelled" },
  /** something is missing, does not fit, or cannot be done through the interface of the insurer */
  needs_attention: { from: ["pending", "creating", "unknown", "active", "cancelling"], to: "attention" },
  /** the merchant ended it, and lets its contract go on before it was cancelled */
  kept: { from: ["attention"], to: "active" },
  /** a person entered what was missing, or wants it tried again; its creation was never sent */
  retry: { from: ["refused", "attention"], to: "pending" },
  /** the same, or it is to end; its creation was sent once, so a contract may exist */
  recheck: { from: ["refused", "attention"], to: "unknown" },
} as const satisfies Record<string, Transition>;
export type TransitionCause = keyof typeof transitions;

/** How an item's history begins, and what is noted in it without a change of state. */
export const otherCauses = [
  "paid_for",
  "read_in_shop",
  "cover_moved",
  "customer_withdrew",
  "task_restored",
] as const;
export type HistoryCause = TransitionCause | (typeof otherCauses)[number];

export function isHistoryCause(value: unknown): value is HistoryCause {
  return (
    typeof value === "string" &&
    (Object.hasOwn(transitions, value) || otherCauses.some((cause) => cause === value))
  );
}

/** The states that a cause can move an item out of. */
export function sourceStates(cause: TransitionCause): readonly ItemState[] {
  return transitions[cause].from;
}

/** Whether a contract is, or may be, in force: what a cancellation has to end. */
export function mayHaveContract(item: { state: ItemState; contractId: string | null }): boolean {
  return (
    item.state === "creating" ||
    item.state === "unknown" ||
    (item.contractId !== null && item.state !== "cancelled")
  );
}
