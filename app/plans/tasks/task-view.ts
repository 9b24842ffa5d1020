/** A task as pages show it, and what can be done about each kind. */
import { z } from "zod";
import { NO_DEADLINE, taskDetails, taskKinds, taskOutcomes } from "./tasks.ts";
import type { TaskKind } from "./tasks.ts";

const task = z.object({
  id: z.string(),
  orderId: z.string().nullable(),
  /** `#1001`; null where the task is about no order, or one that is not known */
  orderName: z.string().nullable(),
  lineId: z.string().nullable(),
  unitNumber: z.int().nullable(),
  /** the order was paid with the test account */
  isTest: z.boolean(),
  /** the last day that the law allows, `YYYY-MM-DD`; null: it names none */
  dueOn: z.string().transform((day) => (day === NO_DEADLINE ? null : day)),
  /** what customers paid for the insurance that it is about */
  atStakeMinor: z.int(),
  currency: z.string().nullable(),
  /** the contract that it asks to cancel may go on instead */
  canBeKept: z.boolean(),
  openedAt: z.coerce.date(),
  closedAt: z.coerce.date().nullable(),
  outcome: z.enum(taskOutcomes).nullable(),
});
const of = <Kind extends TaskKind>(kind: Kind) =>
  task.extend({ kind: z.literal(kind), details: taskDetails[kind] });

export const taskView = z.discriminatedUnion("kind", [
  of("check_plan"),
  of("customer_data"),
  of("customer_erased"),
  of("plan_refused"),
  of("order_refused"),
  of("manual_cancellation"),
  of("withdrawal"),
  of("surplus_contract"),
  of("cancelled_elsewhere"),
  of("contract_missing"),
  of("order_not_shown"),
  of("too_many_units"),
  of("unreadable_line"),
  of("unreadable_event"),
  of("connection"),
  of("customer_data_request"),
]);
export type TaskView = z.infer<typeof taskView>;

export const taskActions = [
  /** sends the plan to the service (again) */
  "retry",
  /** the unit is not to be insured */
  "end",
  /** the contract was cancelled in the service's account area, which the service has to confirm */
  "confirm_cancelled",
  /** the contract goes on: it is not to be cancelled after all */
  "keep",
  /** sends the order's sales data again */
  "resend_sales_record",
  /** processes the event again */
  "reprocess_event",
  /** closes the task: it was done elsewhere */
  "done",
  /** closes the task: nothing is to be done */
  "dismiss",
  "reopen",
] as const;
export type TaskAction = (typeof taskActions)[number];

const actionsByKind: Record<TaskKind, readonly TaskAction[]> = {
  check_plan: ["retry", "end"],
  customer_data: ["end"],
  customer_erased: ["end"],
  plan_refused: ["retry", "end"],
  order_refused: ["resend_sales_record", "dismiss"],
  manual_cancellation: ["confirm_cancelled", "keep", "dismiss"],
  withdrawal: ["done"],
  surplus_contract: ["done", "dismiss"],
  cancelled_elsewhere: ["done"],
  contract_missing: ["done", "dismiss"],
  order_not_shown: ["done"],
  too_many_units: ["done"],
  unreadable_line: ["done"],
  unreadable_event: ["reprocess_event", "done"],
  connection: ["done"],
  customer_data_request: ["done"],
};

/** What can be done about a task now. Only one that a person closed without an effect can be reopened. */
export function availableTaskActions({
  kind,
  closedAt,
  outcome,
  canBeKept,
}: TaskView): readonly TaskAction[] {
  const actions = actionsByKind[kind];
  if (closedAt === null) {
    // A contract that may go on is cancelled or kept: to leave its task would say neither.
    return kind === "manual_cancellation"
      ? actions.filter((action) => action !== (canBeKept ? "dismiss" : "keep"))
      : actions;
  }
  const merelyClosed =
    (outcome === "done" && actions.includes("done")) ||
    (outcome === "dismissed" && actions.includes("dismiss"));
  return merelyClosed ? ["reopen"] : [];
}

export const taskStates = ["open", "closed"] as const;

/** The filter of a list of tasks, as in its URL; open tasks by default. */
export const taskFilter = z.object({
  state: z.enum(taskStates).default("open").catch("open"),
  kind: z.enum(taskKinds).nullable().catch(null),
  /** an order's name or id */
  query: z.string().trim().min(1).max(200).nullable().catch(null),
});
export type TaskFilter = z.infer<typeof taskFilter>;
