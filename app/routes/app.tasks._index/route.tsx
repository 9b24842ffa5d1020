/** Tasks: what needs a person, why, and what to do. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Page } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { runTaskAction } from "#app/plans/tasks/task-actions.server.ts";
import { listTasks } from "#app/plans/tasks/task-list.server.ts";
import { taskActions, taskFilter, taskStates } from "#app/plans/tasks/task-view.ts";
import { taskKinds } from "#app/plans/tasks/tasks.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { readPageRequest } from "#app/platform/list-page.ts";
import { refused, success } from "#app/ui/action-result.ts";
import { ExportableList } from "#app/ui/exportable-list.tsx";
import { FilteredRows } from "#app/ui/filtered-list.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { TaskCard } from "#app/ui/task-card.tsx";
import type { TaskActionResult } from "#app/ui/task-card.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  const filter = taskFilter.parse(Object.fromEntries(search));
  return { page: await listTasks(shop, filter, readPageRequest(search), 25) };
}

const form = z.object({ task: z.string(), action: z.enum(taskActions) });

export async function action({ request }: ActionFunctionArgs): Promise<TaskActionResult> {
  const { shop, actor } = await requireMerchant(request);
  const { task, action } = await parseForm(request, form);
  const result = await runTaskAction(shop, task, action, actor);
  return result.state === "done"
    ? success()
    : refused(result.state, "reason" in result ? result.reason : null);
}

export default function Tasks() {
  const { page } = useLoaderData<typeof loader>();
  const { t } = useTranslation("tasks");
  return (
    <Page title={t("title")} subtitle={t("subtitle")}>
      <ExportableList title={t("list")} file="/app/tasks.csv" page={page}>
        <FilteredRows
          search={t("search")}
          filters={[
            {
              name: "state",
              label: t("filter.state.label"),
              choices: taskStates.map((value) => ({ value, label: t(`filter.state.${value}`) })),
            },
            {
              name: "kind",
              label: t("filter.kind"),
              choices: taskKinds.map((value) => ({ value, label: t(`kind.${value}.title`) })),
            },
          ]}
          page={page}
          empty={<EmptyState title={t("empty.title")} body={t("empty.body")} />}
        >
          {page.items.map((task) => (
            <TaskCard key={task.id} task={task} />
          ))}
        </FilteredRows>
      </ExportableList>
    </Page>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
