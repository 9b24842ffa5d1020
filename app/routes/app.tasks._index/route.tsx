/** Tasks: decisions for a person, with the reason and the possible actions. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Box, Button, Checkbox, InlineStack, Page, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { useState } from "react";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { runTaskActions } from "#app/orders/tasks/task-actions.server.ts";
import { countOpenTasks, listTasks, MAX_ORDER_TASKS } from "#app/orders/tasks/tasks.server.ts";
import {
  groupEqualTasks,
  type TaskAction,
  taskActions,
  taskFilter,
  taskGroups,
  taskKinds,
  type TaskView,
} from "#app/orders/tasks/tasks.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { readPageRequest } from "#app/platform/keyset.ts";
import { refused, success } from "#app/ui/action-result.ts";
import { ExportableList } from "#app/ui/exportable-list.tsx";
import { FilteredRows } from "#app/ui/filtered-list.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ViewTabs } from "#app/ui/tabbed-page.tsx";
import { useShop } from "#app/ui/shop.tsx";
import {
  type EqualTasks,
  isUnclear,
  offeredActions,
  shownTasks,
  type TaskActionResult,
  TaskBundle,
  TaskCard,
  useActionLabel,
  useBulkConfirmationText,
} from "#app/ui/task-card.tsx";
import { sharedWhy, taskTextValues, taskTitle } from "#app/ui/task-text.ts";
import { Permitted } from "#app/ui/permitted.tsx";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { useErrorBanner } from "#app/ui/error-banner.tsx";
import { useAction, useActionResult, useToast } from "#app/ui/use-action.ts";

/** Rows of a page. */
const PAGE_SIZE = 25;

export async function loader({ request }: LoaderFunctionArgs) {
  const { merchant } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  const filter = taskFilter.parse(Object.fromEntries(search));
  const [page, open] = await Promise.all([
    listTasks(merchant, filter, readPageRequest(search), PAGE_SIZE),
    countOpenTasks(merchant),
  ]);
  return { environment: merchant.environment, page, open };
}

const form = z.object({
  tasks: z
    .string()
    .transform((ids) => ids.split(","))
    .pipe(z.array(z.string()).max(MAX_ORDER_TASKS)),
  action: z.enum(taskActions),
  /** the amount of each task when the page showed it, in minor units */
  atStake: z
    .string()
    .transform((amounts) => amounts.split(",").map(Number))
    .pipe(z.array(z.int()).max(MAX_ORDER_TASKS))
    .nullable()
    .default(null),
  /** the plan that is refunded: `lineId-itemNumber` */
  plan: z.string().max(100).nullable().default(null),
});

export const action = pageAction(async ({ request }, { shop, actor }): Promise<TaskActionResult> => {
  const { tasks, action, plan, atStake } = await parseForm(request, form);
  const shown = tasks.map((id, at) => ({ id, atStakeMinor: atStake?.[at] ?? null }));
  const result = await runTaskActions(shop, shown, action, actor, plan);
  if (result.state === "done") return success();
  const isInForce = result.state === "conflict" && action === "confirm_cancelled";
  return refused(isInForce ? "not_cancelled" : result.state, "reason" in result ? result.reason : null);
});

export default function Tasks() {
  const { environment, page, open } = useLoaderData<typeof loader>();
  const { t } = useTranslation("tasks");
  const { format } = useShop();
  const atStake = open.atStake.map(({ minor, currency }) => format.money(minor, currency)).join(" + ");
  const title = open.count === 0 ? t("title") : t("titleCount", { count: format.number(open.count) });
  return (
    <Page title={title} subtitle={atStake === "" ? t("subtitle") : t("atStake", { amount: atStake })}>
      <ExportableList title={t("list")} file="/app/tasks.csv" page={page}>
        <ViewTabs
          label={t("list")}
          tabs={[
            { label: t("filter.all"), search: {} },
            ...taskGroups.map((group) => ({ label: t(`group.${group}`), search: { group } })),
            { label: t("filter.closed"), search: { state: "closed" } },
          ]}
        />
        <FilteredRows
          search={t("search")}
          filters={[
            {
              name: "kind",
              label: t("filter.kind"),
              choices: taskKinds.map((value) => ({ value, label: t(`kind.${value}.title`) })),
            },
            ...(environment === "production"
              ? [
                  {
                    name: "tests",
                    label: t("filter.tests"),
                    choices: [{ value: "shown", label: t("filter.testsShown") }],
                  },
                ]
              : []),
          ]}
          filterNames={["query", "state", "kind", "group", "tests"]}
          page={page}
          empty={<EmptyState title={t("empty.title")} body={t("empty.body")} />}
        >
          <TaskRows tasks={page.items} />
        </FilteredRows>
      </ExportableList>
    </Page>
  );
}

export { clientAction, shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";

/** Tasks of several orders that say the same, at the place of the first. */
function bundleTasks(
  groups: readonly EqualTasks[],
  wordsOf: (task: TaskView) => string[],
): [EqualTasks, ...EqualTasks[]][] {
  const bundles = Map.groupBy(groups, ([task]) =>
    task.orderId === null || task.closedAt !== null
      ? task.id
      : JSON.stringify([task.kind, task.missingDetails, ...wordsOf(task)]),
  );
  return [...bundles.values()].flatMap(([first, ...others]) => (first ? [[first, ...others]] : []));
}

/** The tasks of a page. A merchant can select several of one kind and answer them together. */
function TaskRows({ tasks }: { tasks: TaskView[] }) {
  const { t } = useTranslation("tasks");
  const { t: texts } = useTranslation(["tasks", "plans", "history"]);
  const { format } = useShop();
  const groups = groupEqualTasks(tasks);
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  // Tasks that were answered in the meantime are no longer on the page.
  const selected = groups.filter(([{ id }]) => ids.has(id));
  const kind = selected[0]?.[0].kind;
  const ofKind = (wanted: TaskView["kind"]) =>
    groups.filter(([task]) => task.kind === wanted && task.closedAt === null);
  const select = (chosen: EqualTasks[]) => setIds(new Set(chosen.map(([{ id }]) => id)));
  const bundles = bundleTasks(groups, (task) => {
    const values = taskTextValues(task, texts, format);
    return [sharedWhy(task, texts, format), texts(`tasks:kind.${task.kind}.todo`, values)];
  });
  const checkboxOf = (group: EqualTasks) => {
    const [task] = group;
    if (task.closedAt !== null || ofKind(task.kind).length < 2) return null;
    const others = selected.filter((each) => each !== group);
    return (
      <Permitted>
        <Checkbox
          label={t("bulk.select", { task: taskTitle(task, texts), order: task.orderName ?? "" })}
          labelHidden
          checked={ids.has(task.id)}
          disabled={kind !== undefined && kind !== task.kind}
          onChange={(isChecked) => select(isChecked ? [...others, group] : others)}
        />
      </Permitted>
    );
  };
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
      {bundles.map((bundle) => {
        const [group, ...others] = bundle;
        return others.length === 0 ? (
          <TaskCard key={group[0].id} tasks={group} checkbox={checkboxOf(group)} />
        ) : (
          <TaskBundle key={group[0].id} groups={bundle} checkboxOf={checkboxOf} />
        );
      })}
    </>
  );
}

interface BarProps {
  /** all of one kind, at least one */
  selected: EqualTasks[];
  /** how many tasks of that kind the page has */
  all: number;
  onSelectAll: () => void;
  onClear: () => void;
}

/**
 * The selected tasks, and the answers that fit all of them. A dialog confirms each answer with the number and the
 * amount.
 */
function BulkBar({ selected, all, onSelectAll, onClear }: BarProps) {
  const { t } = useTranslation("tasks");
  const { format } = useShop();
  const toast = useToast();
  const showError = useErrorBanner();
  const label = useActionLabel();
  const confirmation = useBulkConfirmationText();
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
  // The task's own card asks which plan is refunded.
  const fits = (action: TaskAction, each: TaskView) =>
    offeredActions(each).includes(action) && !(action === "refund" && isUnclear(each));
  const actions = offeredActions(task).filter((action) => tasks.every((each) => fits(action, each)));
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
            <Button variant="plain" onClick={onClear}>
              {t("bulk.clear")}
            </Button>
          )}
          {/* One button, so that it keeps the focus after selecting all. */}
          <Button variant="plain" onClick={selected.length < all ? onSelectAll : onClear}>
            {selected.length < all ? t("bulk.all", { count: all }) : t("bulk.clear")}
          </Button>
        </InlineStack>
      </section>
      {asking !== null && (
        <ConfirmModal
          open
          title={t(
            `bulk.confirm.title.${asking === "retry" && task.kind === "check_plan" ? "issue" : asking}`,
            { count },
          )}
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
              { ...shownTasks(tasks), action: asking },
              { method: "post", action: "/app/tasks?index" },
            )
          }
          onClose={() => setAsking(null)}
        />
      )}
    </Box>
  );
}

/** The customers' payments for the insurance of these tasks; empty if there are none. */
function amountOf(tasks: TaskView[], money: (minor: number, currency: string) => string): string {
  const sums = new Map<string, number>();
  for (const { atStakeMinor, currency } of tasks)
    if (currency !== null && atStakeMinor > 0) sums.set(currency, (sums.get(currency) ?? 0) + atStakeMinor);
  return [...sums].map(([currency, minor]) => money(minor, currency)).join(" + ");
}
