import { useFetcher } from "@remix-run/react";
import { BlockStack, Box, Button, InlineStack, Link, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { availableTaskActions } from "#app/plans/tasks/task-view.ts";
import type { TaskAction, TaskView } from "#app/plans/tasks/task-view.ts";
import type { ActionResult } from "./action-result.ts";
import { ConfirmModal } from "./confirm-modal.tsx";
import { useShop } from "./shop.tsx";
import { taskTextValues } from "./task-text.ts";
import { RequestedDataLinks, TaskLinks } from "./task-links.tsx";
import { useToast } from "./use-toast.ts";
import { useActionResult } from "./use-action-result.ts";

/** `failed`: the service had to be asked and did not answer; nothing was changed. */
export type TaskActionResult = ActionResult<null, "unknown" | "conflict" | "failed">;

/** What is asked before it is done. */
const asked = { retry: "issue", end: "end" } as const;

interface Props {
  task: TaskView;
  /** the page is that of the task's order: no link leads there */
  onOrderPage?: boolean;
}

/** One task: why it is there, what to do, and the buttons that do it. */
export function TaskCard({ task, onOrderPage = false }: Props) {
  const { t } = useTranslation(["tasks", "plans", "history"]);
  const { format } = useShop();
  const toast = useToast();
  const fetcher = useFetcher<TaskActionResult>();
  const { state, formData, submit } = fetcher;
  const [asking, setAsking] = useState<"retry" | "end" | null>(null);
  const [chosen, setChosen] = useState<TaskAction | null>(null);
  const order = task.orderName ?? task.orderId ?? "";
  const values = taskTextValues(task, t, format);
  const run = (action: TaskAction) => {
    setChosen(action);
    submit({ task: task.id, action }, { method: "post", action: "/app/tasks?index" });
  };

  useActionResult(fetcher.data, (result) => {
    if (result.state === "success") {
      const isIssued = chosen === "retry" && task.kind === "check_plan";
      const text = chosen === null ? "" : t(`tasks:said.done.${isIssued ? "issue" : chosen}`);
      const subject = order === "" ? t(`tasks:kind.${task.kind}.title`) : order;
      toast(t("tasks:said.of", { subject, text }));
      return;
    }
    const stillInForce = result.reason === "conflict" && chosen === "confirm_cancelled";
    toast(
      stillInForce
        ? t("tasks:said.not_cancelled")
        : t(`tasks:said.${result.reason}`, { reason: result.detail }),
      { isError: true },
    );
  });

  return (
    <Box padding="400" borderBlockEndWidth="025" borderColor="border-secondary">
      <BlockStack gap="300">
        <InlineStack align="space-between" gap="200" blockAlign="center">
          <Text as="h3" variant="headingSm">
            {t(`tasks:kind.${task.kind}.title`)}
          </Text>
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
          {task.kind === "customer_data_request" && <RequestedDataLinks {...task.details} />}
        </BlockStack>
        <InlineStack gap="200">
          {task.closedAt === null && <TaskLinks task={task} />}
          {availableTaskActions(task).map((action) => (
            <Button
              key={action}
              loading={state !== "idle" && formData?.get("action") === action}
              onClick={() =>
                action === "end" || (action === "retry" && task.kind === "check_plan")
                  ? setAsking(action)
                  : run(action)
              }
            >
              {action === "retry" && task.kind === "check_plan"
                ? t("tasks:issue")
                : t(`tasks:action.${action}`)}
            </Button>
          ))}
        </InlineStack>
      </BlockStack>
      {asking !== null && (
        <ConfirmModal
          open
          title={t(`tasks:confirm.${asked[asking]}.${values.plan === undefined ? "order" : "title"}`, {
            order,
            plan: values.plan,
          })}
          body={t(`tasks:confirm.${asked[asking]}.body`)}
          confirm={asking === "retry" ? t("tasks:issue") : t("tasks:action.end")}
          destructive={asking === "end"}
          onConfirm={() => run(asking)}
          onClose={() => setAsking(null)}
        />
      )}
    </Box>
  );
}
