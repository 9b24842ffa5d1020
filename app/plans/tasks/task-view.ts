/** A task as pages show it, and what can be done about each kind. */
import { z } from "zod";
import { NO_DEADLINE, taskDetails, taskGroups, taskKinds, taskOutcomes } from "./tasks.ts";
import type { TaskKind } from "./tasks.ts";
import type { CustomerField } from "#app/plans/ledger/customer.ts";

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
  /** the order's customer, where the task's contract may lack something of them */
  sealedCustomer: z.string().nullable(),
  /** the contract that it requests to cancel may go on instead */
  canBeKept: z.boolean(),
  openedAt: z.coerce.date(),
  closedAt: z.coerce.date().nullable(),
  outcome: z.enum(taskOutcomes).nullable(),
});
const of = <Kind extends TaskKind>(kind: Kind) =>
  task.extend({ kind: z.literal(kind), details: taskDetails[kind] });

export const taskRow = z.discriminatedUnion("kind", [
  of("check_plan"),
  of("customer_data"),
  of("customer_erased"),
  of("plan_refused"),
  of("contract_unclear"),
  of("order_refused"),
  of("manual_cancellation"),
  of("withdrawal"),
  of("premium_kept"),
  of("surplus_contract"),
  of("cancelled_elsewhere"),
  of("contract_missing"),
  of("contract_not_active"),
  of("order_not_shown"),
  of("too_many_units"),
  of("unreadable_line"),
  of("unreadable_event"),
  of("event_failed"),
  of("connection"),
  of("customer_data_request"),
]);
type WithDetails<Row> = Row extends unknown
  ? Omit<Row, "sealedCustomer"> & {
      /** what a plan needs of the customer and the order lacks; of tasks that would issue one */
      missingDetails: CustomerField[];
    }
  : never;
export type TaskView = WithDetails<z.infer<typeof taskRow>>;

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
  contract_unclear: ["retry", "end"],
  order_refused: ["resend_sales_record", "dismiss"],
  manual_cancellation: ["confirm_cancelled", "keep", "dismiss"],
  withdrawal: ["done"],
  premium_kept: ["done", "dismiss"],
  surplus_contract: ["done", "dismiss"],
  cancelled_elsewhere: ["done"],
  contract_missing: ["done", "dismiss"],
  contract_not_active: ["done", "dismiss"],
  order_not_shown: ["done"],
  too_many_units: ["done"],
  unreadable_line: ["done"],
  unreadable_event: ["reprocess_event", "done"],
  event_failed: ["reprocess_event", "done"],
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

/** Tasks that differ only in the item of the order that they are about: one row of the list, answered together. */
export function groupEqualTasks(tasks: readonly TaskView[]): [TaskView, ...TaskView[]][] {
  const groups = Map.groupBy(tasks, ({ id, orderId, kind, details, outcome, closedAt, canBeKept }) =>
    orderId === null || closedAt !== null ? id : JSON.stringify([orderId, kind, details, outcome, canBeKept]),
  );
  return [...groups.values()].flatMap(([first, ...others]) => (first ? [[first, ...others]] : []));
}

export const taskStates = ["open", "closed"] as const;

/** The filter of a list of tasks, as in its URL; open tasks by default. */
export const taskFilter = z.object({
  state: z.enum(taskStates).default("open").catch("open"),
  kind: z.enum(taskKinds).nullable().catch(null),
  group: z.enum(taskGroups).nullable().catch(null),
  /** tasks about orders of the test account, too, although the shop uses the one for production */
  tests: z.literal("shown").nullable().catch(null),
  /** an order's name or id */
  query: z.string().trim().min(1).max(200).nullable().catch(null),
});
export type TaskFilter = z.infer<typeof taskFilter>;
