import type { TFunction } from "i18next";
import { contractText, type TaskDetails, type TaskView } from "#app/orders/tasks/tasks.ts";
import type { Formats } from "./format.ts";

export type TaskTextValues = {
  finding?: string;
  plan?: string;
  product?: string;
  premium?: string;
  insurerMessage?: string;
  contract?: string;
  status?: string;
  topic?: string;
  problem?: string;
  plans?: string;
  cancellation?: string;
  declared?: string;
  acknowledgement?: string;
  mail?: string;
  refundBy?: string;
  refund?: string;
  unclear?: string;
  replacement?: string;
  moving?: string;
  amount?: string;
  cause?: string;
  whatToDo?: string;
};

/** What is missing before the task's contract can be issued; null: nothing. */
export function stepBeforeIssuing({ kind, details, missingDetails }: TaskView): "details" | "product" | null {
  if (kind !== "check_plan") return null;
  if (missingDetails.length > 0) return "details";
  const lacksProduct = details.finding === "no_insured_line" || details.finding === "bundle_component";
  return lacksProduct ? "product" : null;
}

/** Names the reason where one kind has several. */
export const taskTitle = (
  { kind, details }: TaskView,
  t: TFunction<["tasks", "plans", "history"]>,
): string =>
  kind === "check_plan" ? t(`tasks:checkPlan.title.${details.finding}`) : t(`tasks:kind.${kind}.title`);

/** Why several tasks are there that differ in plan and premium alone: each row names these. */
export const sharedWhy = (
  task: TaskView,
  t: TFunction<["tasks", "plans", "history"]>,
  format: Formats,
): string =>
  task.kind === "check_plan"
    ? t("tasks:checkPlan.several", { finding: t(`plans:reason.${task.details.finding}`) })
    : t(`tasks:kind.${task.kind}.why`, taskTextValues(task, t, format));

/** The values in a task's texts `kind.….why` and `kind.….todo`. */
export function taskTextValues(
  task: TaskView,
  t: TFunction<["tasks", "plans", "history"]>,
  format: Formats,
): TaskTextValues {
  switch (task.kind) {
    case "check_plan":
      return {
        finding: t(`plans:reason.${task.details.finding}`),
        plan: task.details.planTitle,
        premium: format.money(task.details.premiumMinor, task.details.currency),
        whatToDo: t(`tasks:checkPlan.todo.${stepBeforeIssuing(task) ?? "issue"}`),
      };
    case "line_left_out":
      return {
        cause: leftOutCause(task.details, t, format),
        whatToDo: t(`tasks:leftOut.${task.details.why}.todo`),
      };
    case "customer_data":
      return { problem: customerDataProblem(task.details, t) };
    case "customer_erased":
      return { plan: task.details.planTitle };
    case "plan_refused":
    case "contract_unclear":
      return { plan: task.details.planTitle, insurerMessage: task.details.insurerMessage };
    case "look_up_failed":
      return { plan: task.details.planTitle, problem: task.details.problem };
    case "order_refused":
      return { insurerMessage: task.details.insurerMessage };
    case "manual_cancellation": {
      const { planTitle: plan, contractId: contract, replacedBy } = task.details;
      const replacement =
        replacedBy === null
          ? ""
          : t("tasks:exchanged", { product: replacedBy.insuredTitle, contract: replacedBy.contractId });
      const { cause: why, insurerMessage } = task.details;
      return { plan, contract, replacement, cause: t(`tasks:toCancel.${why}`, { insurerMessage }) };
    }
    case "cancelled_elsewhere":
      return { plan: task.details.planTitle, contract: task.details.contractId };
    case "withdrawal":
      return {
        plans: task.details.plans.join(", "),
        declared: format.dateTime(task.details.declaredAt),
        // The refund is done and only the acknowledgement is missing; or a person first has to find out whether there
        // is a claim.
        refund:
          task.details.premiumMinor === 0 || task.details.claimsUnknown.length > 0
            ? ""
            : t("tasks:withdrawalRefund", {
                premium: format.money(task.details.premiumMinor, task.details.currency),
                refundBy: format.date(task.details.refundBy),
              }),
        cancellation: cancellationOf(task.details, t),
        acknowledgement: t(`tasks:acknowledging.${task.details.isMailed ? "mailed" : "own"}`),
      };
    case "product_returned": {
      const { insuredTitle, plans, surplus, premiumMinor, currency, replacement } = task.details;
      return {
        product: insuredTitle ?? "?",
        plans: plans.map(contractText).join(", "),
        premium: format.money(premiumMinor, currency),
        unclear: plans.length > surplus ? t("tasks:unclearPlans", { count: surplus }) : "",
        moving: replacement?.why === "other_premium" ? t("tasks:moving") : "",
        replacement:
          replacement === null
            ? ""
            : t(`tasks:replacement.${replacement.why}`, {
                product: replacement.title,
                premium: format.money(replacement.premiumMinor ?? 0, currency),
              }),
      };
    }
    case "paid_back": {
      const { paidBackMinor, paidBackCurrency, plans, premiumMinor, currency } = task.details;
      return {
        amount: format.money(paidBackMinor, paidBackCurrency),
        plans: plans.join(", "),
        premium: format.money(premiumMinor, currency),
      };
    }
    case "premium_kept":
      return {
        plan: task.details.planTitle,
        product: task.details.insuredTitle ?? "?",
        premium: format.money(task.details.premiumMinor, task.details.currency),
      };
    case "surplus_contract": {
      const { contractId: contract, offerReferenceId } = task.details;
      const from = offerReferenceId === "" ? "quote" : "order";
      return {
        cause: t(`tasks:surplus.${from}.why`, { contract }),
        whatToDo: t(`tasks:surplus.${from}.todo`),
      };
    }
    case "contract_doubtful": {
      const { contractId: contract, planTitle: plan, status } = task.details;
      const shown = status === null ? "missing" : "other";
      return {
        cause: t(`tasks:doubtful.${shown}.why`, { contract, plan, status }),
        whatToDo: t(`tasks:doubtful.${shown}.todo`, { contract }),
      };
    }
    case "unreadable_webhook":
    case "webhook_failed": {
      const words: Partial<Record<string, string>> = t("history:topic", { returnObjects: true });
      const { topic, problem } = task.details;
      return { topic: words[topic] ?? topic, problem };
    }
    case "mail_refused":
      return { problem: task.details.problem, mail: task.details.subject };
    case "status_word":
      return { status: task.details.word };
    case "connection":
      return { problem: t(`tasks:problem.${task.details.problem}`) };
    case "customer_data_request": {
      const { orderIds, quotes } = task.details;
      return { whatToDo: t(`tasks:dataRequest.${orderIds.length + quotes.length > 0 ? "send" : "none"}`) };
    }
    case "order_not_shown":
      return {};
  }
}

/** Why nothing of it is insured by itself. */
function leftOutCause(
  details: TaskDetails<"line_left_out">,
  t: TFunction<["tasks", "plans", "history"]>,
  format: Formats,
): string {
  switch (details.why) {
    case "unknown_plan":
      return t("tasks:leftOut.unknown_plan.why", {
        line: details.title,
        pieces: details.quantity,
        premium: format.money(details.premiumMinor, details.currency),
      });
    case "unreadable":
      return t("tasks:leftOut.unreadable.why", { line: details.title ?? "?", problem: details.problem });
    case "too_many":
      return t("tasks:leftOut.too_many.why", { pieces: details.leftOut, limit: details.limit });
  }
}

/** What happens to the contracts that a customer withdrew from. */
function cancellationOf(
  { plans, claimsUnknown, isWhole }: TaskDetails<"withdrawal">,
  t: TFunction<["tasks", "plans", "history"]>,
): string {
  const ending =
    claimsUnknown.length < plans.length ? [t(`tasks:cancellation.${isWhole ? "whole" : "part"}`)] : [];
  const unknown =
    claimsUnknown.length > 0
      ? [t("tasks:cancellation.claimsUnknown", { plans: claimsUnknown.join(", ") })]
      : [];
  return [...ending, ...unknown].join(" ");
}

/** The missing customer details, or the insurer's message about the details that it refuses. */
function customerDataProblem(
  { missing, refused }: TaskDetails<"customer_data">,
  t: TFunction<["tasks", "plans", "history"]>,
): string {
  const list = (fields: typeof missing) => fields.map((field) => t(`tasks:field.${field}`)).join(", ");
  return refused === null
    ? t("tasks:customerData.missing", { fields: list(missing) })
    : t("tasks:customerData.refused", {
        fields: list(refused.fields),
        insurerMessage: refused.insurerMessage,
      });
}
