import { Box, Button, Checkbox, InlineStack, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { groupEqualTasks, type TaskAction, type TaskView } from "#app/plans/tasks/tasks.ts";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { useErrorBanner } from "#app/ui/error-banner.tsx";
import { useShop } from "#app/ui/shop.tsx";
import {
  offeredActions,
  type TaskActionResult,
  TaskCard,
  useActionLabel,
  useConfirmationText,
} from "#app/ui/task-card.tsx";
import { useAction, useActionResult, useToast } from "#app/ui/use-action.ts";

type Group = [TaskView, ...TaskView[]];

/** The tasks of a page. Several of one kind can be selected, and answered at once. */
export function TaskRows({ tasks }: { tasks: TaskView[] }) {
  const { t } = useTranslation("tasks");
  const groups = groupEqualTasks(tasks);
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  // What was answered meanwhile is no longer on the page.
  const selected = groups.filter(([{ id }]) => ids.has(id));
  const kind = selected[0]?.[0].kind;
  const ofKind = (wanted: TaskView["kind"]) =>
    groups.filter(([task]) => task.kind === wanted && task.closedAt === null);
  const select = (chosen: Group[]) => setIds(new Set(chosen.map(([{ id }]) => id)));
  return (
    <>
      {kind !== undefined && (
        <BulkBar
          selected={selected}
          all={ofKind(kind).length}
          onSelectAll={() => select(ofKind(kind))}
          onClear={() => select([])}
        />
      )}
      {groups.map((group) => {
        const [task] = group;
        const isSelected = ids.has(task.id);
        const others = selected.filter((each) => each !== group);
        return (
          <TaskCard
            key={task.id}
            tasks={group}
            checkbox={
              ofKind(task.kind).length > 1 && task.closedAt === null ? (
                <Checkbox
                  label={t("bulk.select", {
                    task: t(`kind.${task.kind}.title`),
                    order: task.orderName ?? "",
                  })}
                  labelHidden
                  checked={isSelected}
                  disabled={kind !== undefined && kind !== task.kind}
                  onChange={(isChecked) => select(isChecked ? [...others, group] : others)}
                />
              ) : null
            }
          />
        );
      })}
    </>
  );
}

interface BarProps {
  /** all of one kind, at least one */
  selected: Group[];
  /** how many of that kind the page has */
  all: number;
  onSelectAll: () => void;
  onClear: () => void;
}

/** What is selected, and the answers that fit all of it. Each is confirmed, with the number and the amount. */
function BulkBar({ selected, all, onSelectAll, onClear }: BarProps) {
  const { t } = useTranslation("tasks");
  const { format } = useShop();
  const toast = useToast();
  const showError = useErrorBanner();
  const label = useActionLabel();
  const confirmation = useConfirmationText();
  const fetcher = useAction<TaskActionResult>();
  const [asking, setAsking] = useState<TaskAction | null>(null);
  const tasks = selected.flat();
  const count = tasks.length;
  const [task] = tasks;
  useActionResult(fetcher.data, (result) => {
    if (result.state === "success") toast(t("bulk.answered"));
    else
      showError(t("bulk.someOpen", { reason: t(`said.${result.reason}`, { reason: result.detail ?? "" }) }));
  });
  if (!task) return null;
  const actions = offeredActions(task).filter((action) =>
    tasks.every((each) => offeredActions(each).includes(action)),
  );
  const amount = amountOf(tasks, format.money);
  const summary = t("bulk.selected", { count });
  return (
    <Box padding="400" background="bg-surface-secondary" borderBlockEndWidth="025" borderColor="border">
      <section aria-label={summary}>
        <InlineStack gap="300" blockAlign="center">
          <Text as="p" fontWeight="semibold">
            {amount === "" ? summary : t("bulk.selectedAmount", { summary, amount })}
          </Text>
          {actions.map((action) => (
            <Button
              key={action}
              loading={fetcher.state !== "idle" && fetcher.formData?.get("action") === action}
              disabled={fetcher.state !== "idle"}
              onClick={() => setAsking(action)}
            >
              {label(action, task)}
            </Button>
          ))}
          {selected.length < all && (
            <Button variant="plain" onClick={onSelectAll}>
              {t("bulk.all", { count: all })}
            </Button>
          )}
          <Button variant="plain" onClick={onClear}>
            {t("bulk.clear")}
          </Button>
        </InlineStack>
      </section>
      {asking !== null && (
        <ConfirmModal
          open
          title={t("bulk.confirm.title", { count, action: label(asking, task) })}
          body={[
            amount === ""
              ? t("bulk.confirm.kind", { kind: t(`kind.${task.kind}.title`) })
              : t("bulk.confirm.amount", { kind: t(`kind.${task.kind}.title`), amount }),
            confirmation(asking, task) ?? "",
          ].join(" ")}
          confirm={label(asking, task)}
          destructive={asking === "end"}
          onConfirm={() =>
            fetcher.submit(
              { tasks: tasks.map(({ id }) => id).join(), action: asking },
              { method: "post", action: "/app/tasks?index" },
            )
          }
          onClose={() => setAsking(null)}
        />
      )}
    </Box>
  );
}

/** What customers paid for the insurance that the tasks are about; empty where it is nothing. */
function amountOf(tasks: TaskView[], money: (minor: number, currency: string) => string): string {
  const sums = new Map<string, number>();
  for (const { atStakeMinor, currency } of tasks)
    if (currency !== null && atStakeMinor > 0) sums.set(currency, (sums.get(currency) ?? 0) + atStakeMinor);
  return [...sums].map(([currency, minor]) => money(minor, currency)).join(" + ");
}
