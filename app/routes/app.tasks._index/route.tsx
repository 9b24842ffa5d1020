/** Tasks: what needs a person, why, and what to do. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Page } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { runTaskActions } from "#app/plans/tasks/task-actions.server.ts";
import { countOpenTasks, listTasks } from "#app/plans/tasks/tasks.server.ts";
import { taskActions, taskFilter, taskGroups, taskKinds } from "#app/plans/tasks/tasks.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { readPageRequest } from "#app/platform/list-page.ts";
import { refused, success } from "#app/ui/action-result.ts";
import { ExportableList } from "#app/ui/exportable-list.tsx";
import { FilteredRows } from "#app/ui/filtered-list.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ViewTabs } from "#app/ui/tabbed-page.tsx";
import { useShop } from "#app/ui/shop.tsx";
import type { TaskActionResult } from "#app/ui/task-card.tsx";
import { TaskRows } from "./task-rows.tsx";

/** Rows of a page: as many can be answered at once. */
const MAX_TASKS = 25;

export async function loader({ request }: LoaderFunctionArgs) {
  const { merchant } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  const filter = taskFilter.parse(Object.fromEntries(search));
  const [page, open] = await Promise.all([
    listTasks(merchant, filter, readPageRequest(search), MAX_TASKS),
    countOpenTasks(merchant),
  ]);
  return { environment: merchant.environment, page, open };
}

const form = z.object({
  tasks: z
    .string()
    .transform((ids) => ids.split(","))
    .pipe(z.array(z.string()).max(MAX_TASKS)),
  action: z.enum(taskActions),
  /** the plan that is refunded: `lineId-unitNumber` */
  plan: z.string().max(100).nullable().default(null),
});

export const action = pageAction(async ({ request }, { shop, actor }): Promise<TaskActionResult> => {
  const { tasks, action, plan } = await parseForm(request, form);
  const result = await runTaskActions(shop, tasks, action, actor, plan);
  return result.state === "done"
    ? success()
    : refused(result.state, "reason" in result ? result.reason : null);
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

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
