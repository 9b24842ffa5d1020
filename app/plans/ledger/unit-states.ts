/**
 * The states of an insured unit and every transition between them: a unit changes its state in no other way.
 */

export const unitStates = [
  /** to be created */
  "pending",
  /** its creation is being sent to the service right now */
  "creating",
  /** its creation was sent and the outcome is not known: look it up before sending again */
  "unknown",
  /** a contract is in force */
  "active",
  /** the service refused; nothing was created */
  "refused",
  /** its cancellation is being sent to the service */
  "cancelling",
  /** final: no contract, or a cancelled one */
  "cancelled",
  /** a person has to decide; a task says what */
  "attention",
] as const;
export type UnitState = (typeof unitStates)[number];

interface Transition {
  from: readonly UnitState[];
  to: UnitState;
}

export const transitions = {
  /** the request is about to be sent */
  send: { from: ["pending"], to: "creating" },
  /** the service responded with a contract */
  created: { from: ["creating"], to: "active" },
  /** the service refused the request */
  refused: { from: ["creating"], to: "refused" },
  /** certainly nothing was done (unreachable, token not accepted): send again later */
  deferred: { from: ["creating"], to: "pending" },
  /** no response, none that can be read, or a refusal that may come after the work (rate limited, not found, forbidden) */
  response_lost: { from: ["creating"], to: "unknown" },
  /** the service responded with a status other than active, another unit's contract number, or a conflict */
  doubted: { from: ["creating"], to: "unknown" },
  /** the worker that was sending is gone (killed, or stopped past the end of its lease) */
  worker_lost: { from: ["creating"], to: "unknown" },
  /** the service has a contract of the order that no unit has: it may be this unit's (after a restored backup, say) */
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
  /** the service cancelled the contract */
  cancelled: { from: ["cancelling"], to: "cancelled" },
  /** looked up: somebody cancelled the contract at the service */
  found_cancelled: { from: ["unknown", "active", "attention", "cancelling"], to: "cancelled" },
  /** something is missing, does not fit, or cannot be done through the interface of the service */
  needs_attention: { from: ["pending", "creating", "unknown", "active", "cancelling"], to: "attention" },
  /** the merchant ended it, and lets its contract go on before it was cancelled */
  kept: { from: ["attention"], to: "active" },
  /** a person entered what was missing, or wants it tried again; its creation was never sent */
  retry: { from: ["refused", "attention"], to: "pending" },
  /** the same, or it is to end; its creation was sent once, so a contract may exist */
  recheck: { from: ["refused", "attention"], to: "unknown" },
} as const satisfies Record<string, Transition>;
export type TransitionCause = keyof typeof transitions;

/** How a unit's history begins, and what is noted in it without a change of state. */
export const otherCauses = ["paid_for", "read_in_shop", "customer_withdrew", "task_restored"] as const;
export type HistoryCause = TransitionCause | (typeof otherCauses)[number];

export function isHistoryCause(value: unknown): value is HistoryCause {
  return (
    typeof value === "string" &&
    (Object.hasOwn(transitions, value) || otherCauses.some((cause) => cause === value))
  );
}

/** The states that a cause can move a unit out of. */
export function sourceStates(cause: TransitionCause): readonly UnitState[] {
  return transitions[cause].from;
}

/** Whether a contract is, or may be, in force: what a cancellation has to end. */
export function mayHaveContract(unit: { state: UnitState; contractId: string | null }): boolean {
  return (
    unit.state === "creating" ||
    unit.state === "unknown" ||
    (unit.contractId !== null && unit.state !== "cancelled")
  );
}
