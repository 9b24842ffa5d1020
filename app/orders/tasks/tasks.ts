/** The kinds of tasks, what each is about, how pages show it, and what can be done about it. */
import { z } from "zod";
import { environment } from "#app/merchants/connection.ts";
import { type CustomerField, planFields } from "#app/orders/customer.ts";
import { obstacles } from "#app/orders/book/exchanges.ts";
import { findings } from "#app/orders/book/item-states.ts";

/** A plan as tasks name it: with its contract's number. */
export const contractText = ({ planTitle, contractId }: { planTitle: string; contractId: string | null }) =>
  contractId === null ? planTitle : `${planTitle} (${contractId})`;

const itemKey = z.object({ lineId: z.string(), itemNumber: z.int() });

/** The details of each kind: what its text and its buttons need. No personal data. */
export const taskDetails = {
  /** Paid items of one line do not fit the catalogue: issue their plans all the same, or not. */
  check_plan: z.object({
    finding: z.enum(findings),
    planTitle: z.string(),
    insuredTitle: z.string().nullable(),
    offerReferenceId: z.string(),
    items: z.array(itemKey),
    premiumMinor: z.int(),
    currency: z.string(),
  }),
  /** Something of the order has no item, so that nothing of it is insured by itself. */
  line_left_out: z.discriminatedUnion("why", [
    /** The line claims to be a plan, and its variant is none of the catalogue's. */
    z.object({
      why: z.literal("unknown_plan"),
      title: z.string(),
      quantity: z.int(),
      premiumMinor: z.int(),
      currency: z.string(),
    }),
    /** The line could not be read; the rest of the order was. */
    z.object({ why: z.literal("unreadable"), title: z.string().nullable(), problem: z.string() }),
    /** More insured items than the app issues without a person's review. */
    z.object({ why: z.literal("too_many"), leftOut: z.int(), limit: z.int() }),
  ]),
  /** The plan request lacks data of the customer, or the insurer refuses some; the order page has a form for it. */
  customer_data: z.object({
    missing: z.array(z.enum(planFields)),
    refused: z.object({ fields: z.array(z.enum(planFields)), insurerMessage: z.string() }).nullable(),
  }),
  /** The customer's data was erased before the plan was created. */
  customer_erased: z.object({ planTitle: z.string() }),
  /** The insurer refused the plan: try again or end the item. */
  plan_refused: z.object({ planTitle: z.string(), insurerMessage: z.string() }),
  /** The insurer does not say clearly whether a contract is in force: try again (after a look-up), or end the item. */
  contract_unclear: z.object({ planTitle: z.string(), insurerMessage: z.string() }),
  /** The insurer's contracts cannot be read, so it is not known whether a request made one: it is looked up again and again. */
  look_up_failed: z.object({ planTitle: z.string(), problem: z.string() }),
  /** The insurer refused the order's sales record. */
  order_refused: z.object({ insurerMessage: z.string() }),
  /** One contract of several has to be cancelled in the insurer's account area. */
  manual_cancellation: z.object({
    contractId: z.string(),
    planTitle: z.string(),
    /** why the cancellation of the order did not end it */
    cause: z.enum(["others", "refused", "not_done"]),
    insurerMessage: z.string(),
    /** its product was exchanged, and this contract insures the replacement; null: it was not */
    replacedBy: z.object({ contractId: z.string(), insuredTitle: z.string() }).nullable(),
  }),
  /** A customer withdrew from contracts: what was paid for them has to be paid back in time. */
  withdrawal: z.object({
    plans: z.array(z.string()),
    /** those of them whose insurance goes on until a person has checked for claims */
    claimsUnknown: z.array(z.string()),
    premiumMinor: z.int(),
    currency: z.string(),
    /** all insurance of the order ends: a request to the insurer cancels it */
    isWhole: z.boolean(),
    declaredAt: z.iso.datetime(),
    /** YYYY-MM-DD */
    refundBy: z.string(),
    /** the app sends the customer the acknowledgement; else a person has to */
    isMailed: z.boolean(),
  }),
  /**
   * Products were refunded, returned or removed and their insurance was not: it goes on until a person refunds it or lets
   * it go on.
   */
  product_returned: z.object({
    /** how many of the plans have no product any more: fewer than all of them where it is not clear which */
    surplus: z.int(),
    insuredTitle: z.string().nullable(),
    plans: z.array(
      itemKey.extend({ planTitle: z.string(), contractId: z.string().nullable(), premiumMinor: z.int() }),
    ),
    premiumMinor: z.int(),
    currency: z.string(),
    /** a product that came into the order later, and why the insurance does not go on with it by itself; null: none did */
    replacement: z
      .object({ why: z.enum(obstacles), title: z.string(), premiumMinor: z.int().nullable() })
      .nullable(),
  }),
  /** Money of the order was paid back without items, and its insurance goes on. */
  paid_back: z.object({
    /** the whole order was */
    isWhole: z.boolean(),
    paidBackMinor: z.int(),
    paidBackCurrency: z.string(),
    plans: z.array(z.string()),
    /** what was paid for the order's insurance */
    premiumMinor: z.int(),
    currency: z.string(),
  }),
  /** Insurance ended, or was never issued, and what the customer paid for it is not refunded. */
  premium_kept: z.object({
    planTitle: z.string(),
    insuredTitle: z.string().nullable(),
    items: z.array(itemKey),
    /** the plans of these items, each with its contract's number */
    plans: z.array(z.string()),
    premiumMinor: z.int(),
    currency: z.string(),
  }),
  /**
   * The insurer has a contract for the order that the book does not have, or that came from a quote whose item is
   * gone.
   */
  surplus_contract: z.object({
    contractId: z.string(),
    /** empty: its customer took it from a quote */
    offerReferenceId: z.string(),
  }),
  /** A contract that a customer paid for was cancelled at the insurer, and not by us. */
  cancelled_elsewhere: z.object({ contractId: z.string(), planTitle: z.string() }),
  /** The insurer calls a contract neither active nor cancelled that was active before, or does not show it. */
  contract_doubtful: z.object({
    contractId: z.string(),
    planTitle: z.string(),
    /** the insurer's word; null: it does not show the contract */
    status: z.string().nullable(),
  }),
  /** An order with insurance was refunded or edited, and Shopify no longer shows it. */
  order_not_shown: z.object({}),
  /** A webhook could not be read. */
  unreadable_webhook: z.object({ inboxId: z.string(), topic: z.string(), problem: z.string() }),
  /** Every attempt to process a webhook failed. */
  webhook_failed: z.object({ inboxId: z.string(), topic: z.string(), problem: z.string() }),
  /** The insurer calls the status of contracts by a word that is not known: the merchant says once what it means. */
  status_word: z.object({ environment, word: z.string() }),
  /** The insurer does not accept the merchant's token, or none is set, while customers are waiting. */
  connection: z.object({ problem: z.enum(["refused", "missing"]) }),
  /** A mail to the order's customer was not delivered. */
  mail_refused: z.object({ problem: z.string(), mailId: z.string(), subject: z.string() }),
  /** A customer requested the data that is stored about them; the orders and quotes whose pages hold it. */
  customer_data_request: z.object({
    orderIds: z.array(z.string()),
    /** both accounts may have a quote of the same id */
    quotes: z.array(z.object({ environment, quoteId: z.string() })),
  }),
} satisfies Record<string, z.ZodType>;

export type TaskKind = keyof typeof taskDetails;
export type TaskDetails<Kind extends TaskKind> = z.infer<(typeof taskDetails)[Kind]>;

export const taskKind = z.object(taskDetails).keyof();
export const taskKinds = taskKind.options;

/** The tabs of the list: what a person does about the tasks of these kinds. */
export const kindsByGroup = {
  decide: [
    "check_plan",
    "line_left_out",
    "plan_refused",
    "contract_unclear",
    "look_up_failed",
    "status_word",
    "order_not_shown",
  ],
  end: [
    "manual_cancellation",
    "withdrawal",
    "product_returned",
    "paid_back",
    "premium_kept",
    "surplus_contract",
    "cancelled_elsewhere",
    "contract_doubtful",
  ],
  customer: ["customer_data", "customer_erased", "mail_refused", "customer_data_request"],
  app: ["connection", "order_refused", "unreadable_webhook", "webhook_failed"],
} as const satisfies Record<string, readonly TaskKind[]>;
export const taskGroups = [
  "decide",
  "end",
  "customer",
  "app",
] as const satisfies (keyof typeof kindsByGroup)[];

/** The day of a task that the law gives no deadline: it sorts after every other. */
export const NO_DEADLINE = "9999-12-31";

/** Days to answer a customer who requests their data (GDPR, article 12: one month). */
const DATA_REQUEST_DAYS = 30;

/** The last day that the law allows, `YYYY-MM-DD`. */
export function deadlineOf<Kind extends TaskKind>(
  task: { kind: Kind; details: TaskDetails<Kind> },
  openedAt: Date,
): string {
  if ("refundBy" in task.details) return task.details.refundBy;
  if (task.kind !== "customer_data_request") return NO_DEADLINE;
  return new Date(openedAt.getTime() + DATA_REQUEST_DAYS * 86_400_000).toISOString().slice(0, 10);
}

/** How a task was closed: a person did it, or decided against it, or nothing is left to do. */
export const taskOutcomes = ["done", "dismissed", "obsolete"] as const;
export type TaskOutcome = (typeof taskOutcomes)[number];

const task = z.object({
  id: z.string(),
  orderId: z.string().nullable(),
  /** `#1001`; null where the task is about no order, or one that is not known */
  orderName: z.string().nullable(),
  lineId: z.string().nullable(),
  itemNumber: z.int().nullable(),
  /** the order was paid with the test account */
  isTest: z.boolean(),
  /** the last day that the law allows, `YYYY-MM-DD`; null: it names none */
  dueOn: z.string().transform((day) => (day === NO_DEADLINE ? null : day)),
  /** that day is near, or over */
  isUrgent: z.boolean(),
  /** what customers paid for the insurance that it is about */
  atStakeMinor: z.int(),
  currency: z.string().nullable(),
  /** the order's customer, where the task's contract may lack something of them */
  sealedCustomer: z.string().nullable(),
  openedAt: z.coerce.date(),
  closedAt: z.coerce.date().nullable(),
  outcome: z.enum(taskOutcomes).nullable(),
});
const of = <Kind extends TaskKind>(kind: Kind) =>
  task.extend({ kind: z.literal(kind), details: taskDetails[kind] });

export const taskRow = z.discriminatedUnion("kind", [
  of("check_plan"),
  of("line_left_out"),
  of("customer_data"),
  of("customer_erased"),
  of("plan_refused"),
  of("contract_unclear"),
  of("look_up_failed"),
  of("order_refused"),
  of("manual_cancellation"),
  of("withdrawal"),
  of("product_returned"),
  of("paid_back"),
  of("premium_kept"),
  of("surplus_contract"),
  of("cancelled_elsewhere"),
  of("contract_doubtful"),
  of("order_not_shown"),
  of("unreadable_webhook"),
  of("webhook_failed"),
  of("status_word"),
  of("connection"),
  of("mail_refused"),
  of("customer_data_request"),
]);
type WithDetails<Row> = Row extends unknown
  ? Omit<Row, "sealedCustomer"> & {
      /** the contract that it requests to cancel may go on instead */
      canKeepInsured: boolean;
      /** ending its insurance leaves other contracts of the order, so that a person cancels its contracts at the insurer */
      othersContinue: boolean;
      /** what a plan needs of the customer and the order lacks; of tasks that would issue one */
      missingDetails: CustomerField[];
    }
  : never;
export type TaskView = WithDetails<z.infer<typeof taskRow>>;

export const taskActions = [
  /** sends the plan to the insurer (again) */
  "retry",
  /** the item is not to be insured */
  "end",
  /** the contract was cancelled in the insurer's account area, which the insurer has to confirm */
  "confirm_cancelled",
  /** the contract goes on: it is not to be cancelled after all */
  "keep",
  /** refunds what the customer paid for insurance, which ends */
  "refund",
  /** the insurance ends; its premium is paid back already */
  "end_insurance",
  /** the insurance goes on without its product, though money was paid back, or with the claim that ended the right to withdraw */
  "keep_insurance",
  /** the insurance goes on with the replacement of its product, though that one's premium differs */
  "move_insurance",
  /** the insurer's word says that contracts are in force, or that they are not */
  "means_in_force",
  "means_not_in_force",
  /** sends the order's sales data again */
  "resend_sales_record",
  /** processes the webhook again */
  "reprocess_webhook",
  /** closes the task: it was done elsewhere */
  "done",
  /** closes the task: nothing is to be done */
  "dismiss",
  "reopen",
] as const;
export type TaskAction = (typeof taskActions)[number];

const actionsByKind: Record<TaskKind, readonly TaskAction[]> = {
  check_plan: ["retry", "end"],
  line_left_out: ["done", "dismiss"],
  customer_data: ["end"],
  customer_erased: ["end"],
  plan_refused: ["retry", "end"],
  contract_unclear: ["retry", "end"],
  look_up_failed: ["retry", "end"],
  order_refused: ["resend_sales_record", "dismiss"],
  manual_cancellation: ["confirm_cancelled", "keep", "dismiss"],
  withdrawal: ["end_insurance", "keep_insurance", "done"],
  product_returned: ["refund", "move_insurance", "keep_insurance"],
  paid_back: ["end_insurance", "keep_insurance"],
  premium_kept: ["refund", "done", "dismiss"],
  surplus_contract: ["done", "dismiss"],
  cancelled_elsewhere: ["done", "dismiss"],
  contract_doubtful: ["done", "dismiss"],
  order_not_shown: ["done"],
  unreadable_webhook: ["reprocess_webhook", "done"],
  webhook_failed: ["reprocess_webhook", "done"],
  status_word: ["means_in_force", "means_not_in_force"],
  connection: ["done"],
  mail_refused: ["done"],
  customer_data_request: ["done"],
};

/** What can be done about a task now. Only one that a person closed without an effect can be reopened. */
export function availableTaskActions(task: TaskView): readonly TaskAction[] {
  const { kind, closedAt, outcome, canKeepInsured } = task;
  const actions = actionsByKind[kind];
  if (closedAt === null) {
    if (kind === "product_returned" && task.details.replacement?.why !== "other_premium")
      return actions.filter((action) => action !== "move_insurance");
    // What may have a claim is answered first: nothing is paid back for insurance that goes on.
    if (kind === "withdrawal")
      return actions.filter((action) => (action === "done") === (task.details.claimsUnknown.length === 0));
    // A contract that may go on is cancelled or kept: to leave its task would say neither.
    return kind === "manual_cancellation"
      ? actions.filter((action) => action !== (canKeepInsured ? "dismiss" : "keep"))
      : actions;
  }
  // A wrong answer is given again.
  if (kind === "status_word") return ["reopen"];
  const merelyClosed =
    (outcome === "done" && actions.includes("done")) ||
    (outcome === "dismissed" && actions.includes("dismiss"));
  return merelyClosed ? ["reopen"] : [];
}

/** Tasks that differ only in the item of the order that they are about: one row of the list, answered together. */
export function groupEqualTasks(tasks: readonly TaskView[]): [TaskView, ...TaskView[]][] {
  const groups = Map.groupBy(tasks, ({ id, orderId, kind, details, outcome, closedAt, canKeepInsured }) =>
    orderId === null || closedAt !== null
      ? id
      : JSON.stringify([orderId, kind, details, outcome, canKeepInsured]),
  );
  return [...groups.values()].flatMap(([first, ...others]) => (first ? [[first, ...others]] : []));
}

/** The open tasks of one kind together. */
export interface OpenTaskGroup {
  kind: TaskKind;
  count: number;
  /** the earliest legal deadline, `YYYY-MM-DD`; null: there is none */
  dueOn: string | null;
  /** what customers paid for the insurance that they are about, by currency, the largest first */
  atStake: { minor: number; currency: string }[];
  /** the order of a single task; null: several tasks, or about no order */
  order: { id: string; name: string | null } | null;
}

/** @param parts the tasks of one kind and currency; `orderId` is one of theirs */
export function groupOpenTasks(
  parts: readonly {
    kind: TaskKind;
    currency: string | null;
    count: number;
    minor: number;
    dueOn: string;
    orderId: string | null;
    orderName: string | null;
  }[],
): OpenTaskGroup[] {
  return [...Map.groupBy(parts, ({ kind }) => kind)].map(([kind, ofKind]) => {
    const count = ofKind.reduce((sum, part) => sum + part.count, 0);
    const [earliest = NO_DEADLINE] = ofKind.map(({ dueOn }) => dueOn).toSorted();
    const [only] = ofKind;
    return {
      kind,
      count,
      dueOn: earliest === NO_DEADLINE ? null : earliest,
      atStake: ofKind
        .flatMap(({ minor, currency }) => (currency === null || minor === 0 ? [] : [{ minor, currency }]))
        .toSorted((a, b) => b.minor - a.minor),
      order:
        count === 1 && only !== undefined && only.orderId !== null
          ? { id: only.orderId, name: only.orderName }
          : null,
    };
  });
}

export const taskStates = ["open", "closed"] as const;

/** The filter of a list of tasks, as in its URL; open tasks by default. */
export const taskFilter = z.object({
  state: z.enum(taskStates).default("open").catch("open"),
  kind: taskKind.nullable().catch(null),
  group: z.enum(taskGroups).nullable().catch(null),
  /** tasks about orders of the test account, too, although the shop uses the one for production */
  tests: z.literal("shown").nullable().catch(null),
  /** an order's name or id */
  query: z.string().trim().min(1).max(200).nullable().catch(null),
});
export type TaskFilter = z.infer<typeof taskFilter>;
