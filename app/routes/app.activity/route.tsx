/** Activity: what the app did and saw. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { listActivity } from "#app/activity/activity.server.ts";
import { activitySources } from "#app/activity/sources.ts";
import { activityFilter } from "#app/activity/activity.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { readPageRequest } from "#app/platform/list-page.ts";
import { FilteredList } from "#app/ui/filtered-list.tsx";
import { SettingsPage } from "#app/ui/settings-page.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ActivityTable } from "./activity-table.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  const filter = activityFilter.parse(Object.fromEntries(search));
  return { page: await listActivity(shop, filter, readPageRequest(search), 50) };
}

export default function Activity() {
  const { page } = useLoaderData<typeof loader>();
  const { t } = useTranslation("activity");
  return (
    <SettingsPage subtitle={t("subtitle")}>
      <FilteredList
        search={t("search")}
        filters={[
          {
            name: "source",
            label: t("source.label"),
            choices: activitySources.map((value) => ({ value, label: t(`source.${value}`) })),
          },
        ]}
        page={page}
        empty={<EmptyState title={t("empty.title")} body={t("empty.body")} />}
      >
        <ActivityTable entries={page.items} />
      </FilteredList>
    </SettingsPage>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
