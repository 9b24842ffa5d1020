/** Analytics, Sales: what all points of sale of the merchant's organisation have sold. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { organisationFilter } from "#app/analytics/filter.ts";
import { pointsOfSale } from "#app/analytics/filter.server.ts";
import { listSales, salesOverview } from "#app/analytics/sales.server.ts";
import { readOrganisationView, refreshOrganisation } from "#app/analytics/view.server.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { readPageRequest } from "#app/platform/list-page.ts";
import { success } from "#app/ui/action-result.ts";
import { OrganisationPage } from "#app/ui/organisation-page.tsx";
import { Sales } from "./sales.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const view = await readOrganisationView(merchant);
  if (view.state !== "ready") return { ready: null };
  const search = new URL(request.url).searchParams;
  const filter = organisationFilter.parse(Object.fromEntries(search));
  const today = toLocalDay(merchant.timezone, new Date());
  const [overview, page, stores] = await Promise.all([
    salesOverview(shop, view.organisation, filter, today),
    listSales(shop, view.organisation, filter, readPageRequest(search), 25),
    pointsOfSale(shop, view.organisation),
  ]);
  return { ready: { importStatus: view.importStatus, today, overview, page, stores } };
}

/** Refreshes the organisation's figures; the form has no fields. */
export const action = pageAction(async (_args, { merchant, actor }) => {
  await refreshOrganisation(merchant, actor);
  return success();
});

export default function SalesPage() {
  const { ready } = useLoaderData<typeof loader>();
  return (
    <OrganisationPage ready={ready}>
      {({ overview, page }) => <Sales overview={overview} page={page} />}
    </OrganisationPage>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
