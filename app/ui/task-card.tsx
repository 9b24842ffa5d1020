import { Badge, BlockStack, Box, Button, ChoiceList, InlineStack, Link, Text } from "@shopify/polaris";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  availableTaskActions,
  contractText,
  type TaskAction,
  type TaskDetails,
  type TaskView,
} from "#app/orders/tasks/tasks.ts";
import type { ActionResult } from "./action-result.ts";
import { ConfirmModal } from "./confirm-modal.tsx";
import { useShop } from "./shop.tsx";
import { taskTextValues } from "./task-text.ts";
import { useErrorBanner } from "./error-banner.tsx";
import { useToast, useActionResult, useAction } from "./use-action.ts";
import { useAccount } from "./account-notice.tsx";
import { useDownload } from "./exportable-list.tsx";

/**
 * `failed`: the insurer did not respond; nothing changed. `not_cancelled`: the insurer still shows the contract as
 * active.
 */
export type TaskActionResult = ActionResult<
  null,
  "unknown" | "conflict" | "not_cancelled" | "failed" | "shop_failed" | "no_permission" | "not_shown"
>;

/** The confirmation before an action. */
const confirmations = {
  retry: "issue",
  end: "end",
  refund: "refund",
  end_insurance: "endInsurance",
  keep_insurance: "keepWithdrawn",
  move_insurance: "moveInsurance",
} as const;

/** Whether the action needs a confirmation: it issues a contract, prevents one for good, or dismisses a withdrawal. */
const isConfirmed = (action: TaskAction, { kind }: TaskView): action is keyof typeof confirmations =>
  action === "end" ||
  action === "refund" ||
  action === "end_insurance" ||
  action === "move_insurance" ||
  (action === "keep_insurance" && kind === "withdrawal") ||
  (action === "retry" && kind === "check_plan");

/** The effect that the confirmation shows; null: the action needs no confirmation. */
export function useConfirmationText(): (action: TaskAction, task: TaskView) => string | null {
  const { t } = useTranslation("tasks");
  return (action, task) => (isConfirmed(action, task) ? t(`confirm.${confirmations[action]}.body`) : null);
}

/** Whether more plans are possible than products went back. */
export const isUnclear = ({ kind, details }: TaskView): boolean =>
  kind === "product_returned" && details.plans.length > details.surplus;

/** Hides "issue" while something is missing; TaskLinks shows the link to it instead. */
export const offeredActions = (task: TaskView): TaskAction[] =>
  availableTaskActions(task).filter((action) => action !== "retry" || stepBeforeIssuing(task) === null);

/** The label of the action's button. */
export function useActionLabel(): (action: TaskAction, task: TaskView) => string {
  const { t } = useTranslation("tasks");
  return (action, { kind }) => {
    if (action === "retry" && kind === "check_plan") return t("issue");
    return action === "refund" && kind === "product_returned" ? t("refundAndEnd") : t(`action.${action}`);
  };
}

/** The tasks as a form sends them, each with its subject as the page showed it. */
export const shownTasks = (tasks: readonly TaskView[]) => ({
  tasks: tasks.map(({ id }) => id).join(),
  atStake: tasks.map(({ atStakeMinor }) => atStakeMinor).join(),
});

interface TaskCardProps {
  /** one task, or several that differ only in their item of the order */
  tasks: [TaskView, ...TaskView[]];
  /** the page is the order's own, so it needs no link to it */
  onOrderPage?: boolean;
  /** before the title: the checkbox for answering several together */
  checkbox?: ReactNode;
}

/** One task: its reason, the next step, and the buttons. */
export function TaskCard({ tasks, onOrderPage = false, checkbox }: TaskCardProps) {
  const { t } = useTranslation(["tasks", "plans", "history"]);
  const { format } = useShop();
  const toast = useToast();
  const showError = useErrorBanner();
  const fetcher = useAction<TaskActionResult>();
  const { state, formData, submit } = fetcher;
  const [asking, setAsking] = useState<keyof typeof confirmations | null>(null);
  const [plan, setPlan] = useState<string | null>(null);
  const [chosen, setChosen] = useState<TaskAction | null>(null);
  const [task] = tasks;
  const order = task.orderName ?? task.orderId ?? "";
  const values = taskTextValues(task, t, format);
  const run = (action: TaskAction) => {
    setChosen(action);
    submit(
      { ...shownTasks(tasks), action, ...(plan === null ? {} : { plan }) },
      { method: "post", action: "/app/tasks?index" },
    );
  };

  const label = useActionLabel();
  const paidMinor = tasks.reduce((sum, { atStakeMinor }) => sum + atStakeMinor, 0);
  // A refund cannot be undone, so its button says how much, unless the contract is still to be chosen.
  const refundLabel =
    paidMinor === 0 || task.currency === null || isUnclear(task)
      ? label("refund", task)
      : `${label("refund", task)} (${format.money(paidMinor, task.currency)})`;
  useActionResult(fetcher.data, (result) => {
    if (result.state === "success") {
      const isIssued = chosen === "retry" && task.kind === "check_plan";
      const text = chosen === null ? "" : t(`tasks:said.done.${isIssued ? "issue" : chosen}`);
      const subject = order === "" ? t(`tasks:kind.${task.kind}.title`) : order;
      toast(t("tasks:said.of", { subject, text }));
      return;
    }
    showError(t(`tasks:said.${result.reason}`, { reason: result.detail }));
  });

  return (
    <Box padding="400" borderBlockEndWidth="025" borderColor="border-secondary">
      <BlockStack gap="300">
        <InlineStack align="space-between" gap="200" blockAlign="center">
          <InlineStack gap="200" blockAlign="center">
            {checkbox}
            <Text as="h3" variant="headingSm">
              {t(`tasks:kind.${task.kind}.title`)}
            </Text>
            <TaskBadges tasks={tasks} />
          </InlineStack>
          <InlineStack gap="300">
            {!onOrderPage && task.orderId !== null && task.orderName !== null && (
              <Link url={`/app/orders/${task.orderId}`}>{t("tasks:order", { name: task.orderName })}</Link>
            )}
            <Text as="span" tone="subdued">
              {task.closedAt === null || task.outcome === null
                ? t("tasks:opened", { date: format.dateTime(task.openedAt) })
                : t("tasks:closed", {
                    outcome: t(`tasks:outcome.${task.outcome}`),
                    date: format.dateTime(task.closedAt),
                  })}
            </Text>
          </InlineStack>
        </InlineStack>
        <BlockStack gap="100">
          <Text as="p" breakWord>
            {t(`tasks:kind.${task.kind}.why`, values)}
          </Text>
          {task.closedAt === null && (
            <Text as="p" tone="subdued" breakWord>
              {t(`tasks:kind.${task.kind}.todo`, values)}
            </Text>
          )}
          {task.missingDetails.length > 0 && (
            <Text as="p" breakWord>
              {t("tasks:alsoMissing", {
                fields: task.missingDetails.map((field) => t(`tasks:field.${field}`)).join(", "),
              })}
            </Text>
          )}
          {task.kind === "customer_data_request" && <RequestedDataLinks {...task.details} />}
        </BlockStack>
        <InlineStack gap="200">
          {task.closedAt === null && <TaskLinks task={task} />}
          {offeredActions(task).map((action, index) => (
            <Button
              key={action}
              {...(index === 0 && task.closedAt === null && !hasPrimaryLink(task)
                ? { variant: "primary" as const }
                : {})}
              loading={state !== "idle" && formData?.get("action") === action}
              onClick={() => (isConfirmed(action, task) ? setAsking(action) : run(action))}
            >
              {label(action, task)}
            </Button>
          ))}
        </InlineStack>
      </BlockStack>
      {asking !== null && (
        <ConfirmModal
          open
          title={t(
            `tasks:confirm.${confirmations[asking]}.${values.plan === undefined ? "order" : "title"}`,
            {
              order,
              plan: values.plan,
            },
          )}
          body={t(`tasks:confirm.${confirmations[asking]}.body`)}
          confirm={asking === "refund" ? refundLabel : label(asking, task)}
          destructive={asking !== "retry" && asking !== "move_insurance"}
          disabled={plan === null && isUnclear(task)}
          onConfirm={() => run(asking)}
          onClose={() => setAsking(null)}
        >
          {task.kind === "product_returned" && isUnclear(task) && (
            <ChoiceList
              title={t("tasks:choosePlan")}
              choices={task.details.plans.map((each) => ({
                label: contractText(each),
                value: `${each.lineId}-${each.itemNumber}`,
              }))}
              selected={plan === null ? [] : [plan]}
              onChange={([chosenPlan]) => setPlan(chosenPlan ?? null)}
            />
          )}
        </ConfirmModal>
      )}
    </Box>
  );
}

/** The number of items, the deadline, the amount, and the account. */
function TaskBadges({ tasks }: Pick<TaskCardProps, "tasks">) {
  const { t } = useTranslation("tasks");
  const { format } = useShop();
  const [{ dueOn, isUrgent, currency, isTest, closedAt }] = tasks;
  const atStakeMinor = tasks.reduce((sum, each) => sum + each.atStakeMinor, 0);
  const count = tasks.reduce((sum, { details }) => sum + ("items" in details ? details.items.length : 1), 0);
  return (
    <>
      {dueOn !== null && closedAt === null && (
        <Badge tone={isUrgent ? "critical" : "warning"}>{t("due", { date: format.date(dueOn) })}</Badge>
      )}
      {count > 1 && <Badge>{t("pieces", { count })}</Badge>}
      {atStakeMinor > 0 && currency !== null && <Badge>{format.money(atStakeMinor, currency)}</Badge>}
      {isTest && <Badge tone="info">{t("test")}</Badge>}
    </>
  );
}

/** What is missing before the task's contract can be issued; null: nothing. */
function stepBeforeIssuing({ kind, details, missingDetails }: TaskView): "details" | "product" | null {
  if (kind !== "check_plan") return null;
  if (missingDetails.length > 0) return "details";
  const lacksProduct = details.finding === "no_insured_line" || details.finding === "bundle_component";
  return lacksProduct ? "product" : null;
}

/** Whether to refund a withdrawal's premium: only if it is known that there is no claim. */
const isToBeRefunded = ({ kind, details }: TaskView): boolean =>
  kind === "withdrawal" && details.claimsUnknown.length === 0;

/** Whether the task's first button is one of these links. */
function hasPrimaryLink(task: TaskView): boolean {
  const kinds: TaskView["kind"][] = ["customer_data", "connection", "mail_refused", "customer_data_request"];
  return kinds.includes(task.kind) || isToBeRefunded(task) || stepBeforeIssuing(task) !== null;
}

/**
 * The link to the merchant's account at the insurer, for steps that Parasol cannot do. Renders nothing without the URL.
 */
function AccountLink() {
  const { t } = useTranslation();
  const url = useAccount()?.url ?? null;
  return (
    url !== null && (
      <Button url={url} external>
        {t("insurerAccount")}
      </Button>
    )
  );
}

/** The links from a task to the pages of its next step. */
function TaskLinks({ task }: { task: TaskView }) {
  const { t } = useTranslation("tasks");
  const { downloading, download } = useDownload();
  switch (task.kind) {
    case "customer_data":
      return (
        <Button variant="primary" url={`/app/orders/${task.orderId ?? ""}#customer`}>
          {t("supply")}
        </Button>
      );
    case "check_plan": {
      const step = stepBeforeIssuing(task);
      if (step === null) return null;
      const place = step === "details" ? "customer" : "contracts";
      return (
        <Button variant="primary" url={`/app/orders/${task.orderId ?? ""}#${place}`}>
          {t(step === "details" ? "supply" : "chooseProduct")}
        </Button>
      );
    }
    case "withdrawal":
      return (
        <>
          {isToBeRefunded(task) && (
            <Button variant="primary" url={refundPage(task)} target="_top">
              {t("refund")}
            </Button>
          )}
          <Button
            loading={downloading}
            onClick={() => void download(`/app/tasks/${task.id}/acknowledgement`, "withdrawal.txt")}
          >
            {t("acknowledgement")}
          </Button>
        </>
      );
    case "mail_refused":
      return (
        <Button
          variant="primary"
          loading={downloading}
          onClick={() => void download(`/app/tasks/${task.id}/acknowledgement`, "mail.txt")}
        >
          {t("mailText")}
        </Button>
      );
    case "manual_cancellation":
    case "surplus_contract":
    case "contract_doubtful":
      return <AccountLink />;
    case "line_left_out":
      if (task.details.why === "too_many") return <AccountLink />;
      return (
        <Button url={refundPage(task)} target="_top">
          {t("refund")}
        </Button>
      );
    case "customer_erased":
    case "cancelled_elsewhere":
    case "premium_kept":
    case "product_returned":
      return (
        <Button url={refundPage(task)} target="_top">
          {t("refund")}
        </Button>
      );
    case "connection":
      return (
        <Button variant="primary" url="/app/connection">
          {t("connect")}
        </Button>
      );
    case "customer_data_request":
      return task.details.orderIds.length + task.details.quotes.length === 0 ? null : (
        <Button
          variant="primary"
          loading={downloading}
          onClick={() => void download(`/app/tasks/${task.id}/data`, "customer-data.json")}
        >
          {t("download")}
        </Button>
      );
    default:
      return null;
  }
}

const refundPage = ({ orderId }: TaskView) => `shopify://admin/orders/${orderId ?? ""}/refund`;

/** The link to the customer's requested data. */
function RequestedDataLinks({ orderIds, quotes }: TaskDetails<"customer_data_request">) {
  const { t } = useTranslation("tasks");
  const pages = [
    ...orderIds.map((id) => ({ id, url: `/app/orders/${encodeURIComponent(id)}` })),
    ...quotes.map(({ environment, quoteId }) => ({
      id: quoteId,
      url: `/app/quotes/${encodeURIComponent(quoteId)}?account=${environment}`,
    })),
  ];
  if (pages.length === 0) return <Text as="p">{t("noOrders")}</Text>;
  return (
    <InlineStack gap="200">
      {pages.map(({ id, url }) => (
        <Link key={url} url={url}>
          {id}
        </Link>
      ))}
    </InlineStack>
  );
}
