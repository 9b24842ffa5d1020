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
import { MenuButton } from "./menu-button.tsx";
import { Permitted, useRefusal } from "./permitted.tsx";
import { sharedWhy, stepBeforeIssuing, taskTextValues, taskTitle } from "./task-text.ts";
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
type ConfirmedAction = keyof typeof confirmations;

/** Whether the action needs a confirmation: it issues a contract, prevents one for good, or dismisses a withdrawal. */
const isConfirmed = (action: TaskAction, { kind }: TaskView): action is ConfirmedAction =>
  action === "end" ||
  action === "refund" ||
  action === "end_insurance" ||
  action === "move_insurance" ||
  (action === "keep_insurance" && kind === "withdrawal") ||
  (action === "retry" && kind === "check_plan");

/** The effect on several tasks that the confirmation shows; null: the action needs no confirmation. */
export function useBulkConfirmationText(): (action: TaskAction, task: TaskView) => string | null {
  const { t } = useTranslation("tasks");
  return (action, task) => {
    if (!isConfirmed(action, task)) return null;
    const name = confirmations[action];
    return name === "refund" || name === "endInsurance"
      ? t(`confirm.${name}.several`)
      : t(`confirm.${name}.body`);
  };
}

/** Whether more plans are possible than products went back. */
export const isUnclear = ({ kind, details }: TaskView): boolean =>
  kind === "product_returned" && details.plans.length > details.surplus;

/** Hides "issue" while something is missing; the task shows the link to it instead. */
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

/** Tasks that differ only in their item of the order: one row, answered together. */
export type EqualTasks = [TaskView, ...TaskView[]];

interface TaskCardProps {
  tasks: EqualTasks;
  /** the page is the order's own, so it needs no link to it */
  onOrderPage?: boolean;
  /** before the title: the checkbox for answering several together */
  checkbox?: ReactNode;
}

/** One task: its reason, the next step, and the buttons. */
export function TaskCard({ tasks, onOrderPage = false, checkbox }: TaskCardProps) {
  const { t } = useTranslation(["tasks", "plans", "history"]);
  const [task] = tasks;
  return (
    <TaskFrame>
      <InlineStack align="space-between" gap="200" blockAlign="center">
        <InlineStack gap="200" blockAlign="center">
          {checkbox}
          <Text as="h3" variant="headingSm">
            {taskTitle(task, t)}
          </Text>
          <TaskBadges tasks={tasks} />
        </InlineStack>
        <InlineStack gap="300">
          {!onOrderPage && <OrderLink task={task} />}
          <TaskDate task={task} />
        </InlineStack>
      </InlineStack>
      <TaskWords task={task} />
      <TaskSteps tasks={tasks} />
    </TaskFrame>
  );
}

interface TaskBundleProps {
  /** tasks of several orders with one text */
  groups: [EqualTasks, ...EqualTasks[]];
  checkboxOf: (group: EqualTasks) => ReactNode;
}

/** Tasks that say the same: the text once, then a row for each. */
export function TaskBundle({ groups, checkboxOf }: TaskBundleProps) {
  const { t } = useTranslation(["tasks", "plans", "history"]);
  const { format } = useShop();
  const [[task]] = groups;
  return (
    <TaskFrame>
      <Text as="h3" variant="headingSm">
        {t("tasks:bundle", { title: taskTitle(task, t), count: format.number(groups.length) })}
      </Text>
      <TaskWords task={task} why={sharedWhy(task, t, format)} />
      <BlockStack gap="200">
        {groups.map((tasks) => (
          <InlineStack key={tasks[0].id} align="space-between" gap="200" blockAlign="center">
            <InlineStack gap="200" blockAlign="center">
              {checkboxOf(tasks)}
              <OrderLink task={tasks[0]} />
              {tasks[0].kind === "check_plan" && <Text as="span">{tasks[0].details.planTitle}</Text>}
              <TaskBadges tasks={tasks} />
              <TaskDate task={tasks[0]} />
            </InlineStack>
            <TaskSteps tasks={tasks} isCompact />
          </InlineStack>
        ))}
      </BlockStack>
    </TaskFrame>
  );
}

function TaskFrame({ children }: { children: ReactNode }) {
  return (
    <Box padding="400" borderBlockEndWidth="025" borderColor="border-secondary">
      <BlockStack gap="300">{children}</BlockStack>
    </Box>
  );
}

function OrderLink({ task: { orderId, orderName } }: { task: TaskView }) {
  const { t } = useTranslation("tasks");
  if (orderId === null || orderName === null) return null;
  return <Link url={`/app/orders/${orderId}`}>{t("order", { name: orderName })}</Link>;
}

function TaskDate({ task: { closedAt, openedAt, outcome } }: { task: TaskView }) {
  const { t } = useTranslation("tasks");
  const { format } = useShop();
  return (
    <Text as="span" tone="subdued">
      {closedAt === null || outcome === null
        ? t("opened", { date: format.dateTime(openedAt) })
        : t("closed", { outcome: t(`outcome.${outcome}`), date: format.dateTime(closedAt) })}
    </Text>
  );
}

/** Why the task is there, and what to do about it. @param why of several tasks; default: the task's own */
function TaskWords({ task, why }: { task: TaskView; why?: string }) {
  const { t } = useTranslation(["tasks", "plans", "history"]);
  const { format } = useShop();
  const values = taskTextValues(task, t, format);
  return (
    <BlockStack gap="100">
      <Text as="p" breakWord>
        {why ?? t(`tasks:kind.${task.kind}.why`, values)}
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
  );
}

/** A button of a task: an action, or a link or file that a person needs first. */
interface Step {
  content: string;
  isPrimary?: boolean;
  /** changes something */
  action?: TaskAction;
  url?: string;
  external?: boolean;
  /** out of the admin's frame */
  target?: "_top";
  onAction?: () => void;
  loading?: boolean;
}

/** A task shows this many buttons. With more steps it shows two, and a menu. */
const MAX_BUTTONS = 3;

/** The buttons of a task, in the order in which they are useful, and the confirmation before an action. */
function TaskSteps({ tasks, isCompact = false }: { tasks: EqualTasks; isCompact?: boolean }) {
  const { t } = useTranslation(["tasks", "plans", "history"]);
  const toast = useToast();
  const showError = useErrorBanner();
  const fetcher = useAction<TaskActionResult>();
  const { state, formData, submit } = fetcher;
  const [asking, setAsking] = useState<ConfirmedAction | null>(null);
  const [chosen, setChosen] = useState<TaskAction | null>(null);
  const label = useActionLabel();
  const [task] = tasks;
  const order = task.orderName ?? task.orderId ?? "";
  const run = (action: TaskAction, plan: string | null = null) => {
    setChosen(action);
    submit(
      { ...shownTasks(tasks), action, ...(plan === null ? {} : { plan }) },
      { method: "post", action: "/app/tasks?index" },
    );
  };
  useActionResult(fetcher.data, (result) => {
    if (result.state === "success") {
      const isIssued = chosen === "retry" && task.kind === "check_plan";
      const text = chosen === null ? "" : t(`tasks:said.done.${isIssued ? "issue" : chosen}`);
      toast(t("tasks:said.of", { subject: order === "" ? taskTitle(task, t) : order, text }));
      return;
    }
    showError(t(`tasks:said.${result.reason}`, { reason: result.detail }));
  });
  const links = useTaskLinks(task);
  const actions = offeredActions(task).map((action, index): Step => ({
    content: label(action, task),
    action,
    isPrimary: index === 0 && task.closedAt === null && !links.some(({ isPrimary }) => isPrimary),
    loading: state !== "idle" && formData?.get("action") === action,
    onAction: () => (isConfirmed(action, task) ? setAsking(action) : run(action)),
  }));
  const isFirst = ({ isPrimary }: Step) => isPrimary === true;
  const steps = [...links.filter(isFirst), ...actions, ...links.filter((step) => !isFirst(step))];
  const shown = steps.length > MAX_BUTTONS ? steps.slice(0, MAX_BUTTONS - 1) : steps;
  return (
    <InlineStack gap="200">
      {shown.map((step) => (
        <StepButton key={step.content} step={step} isCompact={isCompact} />
      ))}
      {shown.length < steps.length && <StepMenu steps={steps.slice(shown.length)} task={task} />}
      {asking !== null && (
        <TaskConfirmation
          tasks={tasks}
          action={asking}
          onConfirm={(plan) => run(asking, plan)}
          onClose={() => setAsking(null)}
        />
      )}
    </InlineStack>
  );
}

function StepButton({ step, isCompact }: { step: Step; isCompact: boolean }) {
  const { content, isPrimary, action, url, external, target, onAction, loading } = step;
  const button = (
    <Button
      {...(isPrimary === true && !isCompact ? { variant: "primary" as const } : {})}
      {...(url === undefined ? {} : { url })}
      {...(external === undefined ? {} : { external })}
      {...(target === undefined ? {} : { target })}
      {...(onAction === undefined ? {} : { onClick: onAction })}
      loading={loading ?? false}
    >
      {content}
    </Button>
  );
  return action === undefined ? button : <Permitted to="/app/tasks">{button}</Permitted>;
}

/** The less useful steps of a task. */
function StepMenu({ steps, task }: { steps: Step[]; task: TaskView }) {
  const { t } = useTranslation("tasks");
  const isRefused = useRefusal("/app/tasks") !== null;
  return (
    <MenuButton
      label={t("more")}
      name={t("moreOf", { subject: task.orderName ?? t(`kind.${task.kind}.title`) })}
      items={steps.map(({ content, action, url, external, target, onAction }) => ({
        content,
        disabled: action !== undefined && isRefused,
        ...(url === undefined ? {} : { url }),
        ...(external === undefined ? {} : { external }),
        ...(target === undefined ? {} : { target }),
        ...(onAction === undefined ? {} : { onAction }),
      }))}
    />
  );
}

interface TaskConfirmationProps {
  tasks: EqualTasks;
  action: ConfirmedAction;
  /** @param plan the plan to refund, `lineId-itemNumber`; null: all of the task's */
  onConfirm: (plan: string | null) => void;
  onClose: () => void;
}

/** Says what the action does to which contract, and what it costs. */
function TaskConfirmation({ tasks, action, onConfirm, onClose }: TaskConfirmationProps) {
  const { t } = useTranslation(["tasks", "plans", "history"]);
  const { format } = useShop();
  const label = useActionLabel();
  const [plan, setPlan] = useState<string | null>(null);
  const [task] = tasks;
  const order = task.orderName ?? task.orderId ?? "";
  const values = taskTextValues(task, t, format);
  const name = confirmations[action];
  const mustChoose = task.kind === "product_returned" && isUnclear(task);
  const refund = refundOf(tasks, plan, format.money);
  const title = () => {
    if (name === "refund")
      return refund === null
        ? t("tasks:confirm.refund.choose", { order })
        : t("tasks:confirm.refund.title", { order, amount: refund.amount });
    return t(`tasks:confirm.${name}.${values.plan === undefined ? "order" : "title"}`, {
      order,
      plan: values.plan,
    });
  };
  const body = () => {
    const rest = task.othersContinue ? "others" : "alone";
    if (name === "endInsurance") return t(`tasks:confirm.endInsurance.${rest}`);
    if (name !== "refund") return t(`tasks:confirm.${name}.body`);
    return [
      refund === null ? t("tasks:confirm.refund.unknown") : t("tasks:confirm.refund.body", refund),
      ...(task.kind === "product_returned" ? [t(`tasks:confirm.refund.${rest}`)] : []),
      t("tasks:confirm.refund.irreversible"),
    ].join(" ");
  };
  return (
    <ConfirmModal
      open
      title={title()}
      body={body()}
      confirm={
        action === "refund" && refund !== null
          ? t("tasks:refundAmount", { amount: refund.amount })
          : label(action, task)
      }
      destructive={action !== "retry" && action !== "move_insurance"}
      disabled={mustChoose && plan === null}
      onConfirm={() => onConfirm(plan)}
      onClose={onClose}
    >
      {mustChoose && (
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
  );
}

/** What a refund pays back, and for which contracts; null: the contract is still to be chosen. */
function refundOf(
  tasks: EqualTasks,
  plan: string | null,
  money: (minor: number, currency: string) => string,
): { amount: string; plans: string } | null {
  const [task] = tasks;
  if (task.kind === "premium_kept") {
    const { plans, premiumMinor, currency } = task.details;
    return { amount: money(premiumMinor, currency), plans: plans.join(", ") };
  }
  if (task.kind !== "product_returned" || (isUnclear(task) && plan === null)) return null;
  const { plans, currency } = task.details;
  const refunded = plans.filter(
    ({ lineId, itemNumber }) => plan === null || plan === `${lineId}-${itemNumber}`,
  );
  const minor = refunded.reduce((sum, { premiumMinor }) => sum + premiumMinor, 0);
  return { amount: money(minor, currency), plans: refunded.map(contractText).join(", ") };
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

/** Whether to refund a withdrawal's premium: only if it is known that there is no claim. */
const isToBeRefunded = ({ kind, details }: TaskView): boolean =>
  kind === "withdrawal" && details.claimsUnknown.length === 0;

/** The links and files of a task's next step. */
function useTaskLinks(task: TaskView): Step[] {
  const { t } = useTranslation(["tasks", "common"]);
  const { downloading, download } = useDownload();
  const accountUrl = useAccount()?.url ?? null;
  if (task.closedAt !== null) return [];
  // Steps that Parasol cannot do are done in the merchant's account at the insurer.
  const account: Step[] =
    accountUrl === null ? [] : [{ content: t("common:insurerAccount"), url: accountUrl, external: true }];
  const refundInShopify: Step = {
    content: t("tasks:refund"),
    url: `shopify://admin/orders/${task.orderId ?? ""}/refund`,
    target: "_top",
  };
  const file = (content: string, path: string, fileName: string): Step => ({
    content,
    loading: downloading,
    onAction: () => void download(`/app/tasks/${task.id}/${path}`, fileName),
  });
  const orderPage = `/app/orders/${task.orderId ?? ""}`;
  switch (task.kind) {
    case "customer_data":
      return [{ content: t("tasks:supply"), url: `${orderPage}#customer`, isPrimary: true }];
    case "check_plan": {
      const step = stepBeforeIssuing(task);
      if (step === null) return [];
      const place = step === "details" ? "customer" : "contracts";
      const content = t(step === "details" ? "tasks:supply" : "tasks:chooseProduct");
      return [{ content, url: `${orderPage}#${place}`, isPrimary: true }];
    }
    case "withdrawal":
      return [
        ...(isToBeRefunded(task) ? [{ ...refundInShopify, isPrimary: true }] : []),
        file(t("tasks:acknowledgement"), "acknowledgement", "withdrawal.txt"),
      ];
    case "mail_refused":
      return [{ ...file(t("tasks:mailText"), "acknowledgement", "mail.txt"), isPrimary: true }];
    case "manual_cancellation":
    case "surplus_contract":
    case "contract_doubtful":
      return account;
    case "line_left_out":
      return task.details.why === "too_many" ? account : [refundInShopify];
    case "customer_erased":
    case "cancelled_elsewhere":
    case "premium_kept":
    case "product_returned":
      return [refundInShopify];
    case "connection":
      return [{ content: t("tasks:connect"), url: "/app/connection", isPrimary: true }];
    case "customer_data_request":
      return task.details.orderIds.length + task.details.quotes.length === 0
        ? []
        : [{ ...file(t("tasks:download"), "data", "customer-data.json"), isPrimary: true }];
    default:
      return [];
  }
}

/** The link to the customer's requested data. */
function RequestedDataLinks({ orderIds, quotes }: TaskDetails<"customer_data_request">) {
  const pages = [
    ...orderIds.map((id) => ({ id, url: `/app/orders/${encodeURIComponent(id)}` })),
    ...quotes.map(({ environment, quoteId }) => ({
      id: quoteId,
      url: `/app/quotes/${encodeURIComponent(quoteId)}?account=${environment}`,
    })),
  ];
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
