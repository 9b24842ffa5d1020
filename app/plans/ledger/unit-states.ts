/**
 * The states of an insured unit and every way from one to another. Nothing moves a unit but a row of this table.
 */

export const unitStates = [
  /** to be created */
  "pending",
  /** its creation is being asked of the service right now */
  "creating",
  /** its creation was asked and the answer is not known: look before asking again */
  "unknown",
  /** a contract is in force */
  "active",
  /** the service said no; nothing was created */
  "refused",
  /** its cancellation is being asked of the service */
  "cancelling",
  /** no contract, or one that is cancelled; the end */
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
  /** the service answered with a contract */
  created: { from: ["creating"], to: "active" },
  /** the service understood and refused */
  refused: { from: ["creating"], to: "refused" },
  /** nothing was done (unreachable, rate limited, token not accepted): ask again later */
  deferred: { from: ["creating"], to: "pending" },
  /** no answer, or none that can be read */
  response_lost: { from: ["creating"], to: "unknown" },
  /** whoever was asking is gone (killed, stopped past its claim) */
  worker_lost: { from: ["creating"], to: "unknown" },
  /** the service has a contract of the order that nobody knows: it may be this one's (a restored backup, say) */
  possible_match: { from: ["pending", "refused"], to: "unknown" },
  /** looked: the contract is there */
  found: { from: ["unknown"], to: "active" },
  /** looked after the service had time to make up its mind: there is none */
  not_found: { from: ["unknown"], to: "pending" },
  /** not to be insured, and there is no contract */
  withdrawn: { from: ["pending", "refused", "attention"], to: "cancelled" },
  /** the order's cancellation is about to be sent */
  cancel: { from: ["active", "attention"], to: "cancelling" },
  /** the service cancelled the contract */
  cancelled: { from: ["cancelling"], to: "cancelled" },
  /** looked: somebody cancelled the contract at the service */
  found_cancelled: { from: ["unknown", "active", "attention", "cancelling"], to: "cancelled" },
  /** something is missing, does not fit, or cannot be done by the service alone */
  needs_attention: { from: ["pending", "active", "cancelling"], to: "attention" },
  /** a person supplied what was missing, or wants it tried again */
  retry: { from: ["refused", "attention"], to: "pending" },
} as const satisfies Record<string, Transition>;
export type TransitionCause = keyof typeof transitions;

/** The states a cause can move a unit out of. */
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
