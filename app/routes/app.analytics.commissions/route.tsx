/** Analytics, Commissions: what the service pays back to all points of sale of the merchant's organisation. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { commissionsOverview, listCommissions } from "#app/analytics/commissions.server.ts";
import { organisationFilter } from "#app/analytics/filter.ts";
import { pointsOfSale } from "#app/analytics/filter.server.ts";
import { readOrganisationView } from "#app/analytics/view.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { readPageRequest } from "#app/platform/list-page.ts";
import { OrganisationPage } from "#app/ui/organisation-page.tsx";
import { Commissions } from "./commissions.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const view = await readOrganisationView(merchant);
  if (view.state !== "ready") return { ready: null };
  const search = new URL(request.url).searchParams;
  const filter = organisationFilter.parse(Object.fromEntries(search));
  const [overview, page, stores] = await Promise.all([
    commissionsOverview(shop, view.organisation, filter),
    listCommissions(shop, view.organisation, filter, readPageRequest(search), 25),
    pointsOfSale(shop, view.organisation),
  ]);
  return {
    ready: {
      importStatus: view.importStatus,
      today: toLocalDay(merchant.timezone, new Date()),
      overview,
      page,
      stores,
    },
  };
}

export default function CommissionsPage() {
  const { ready } = useLoaderData<typeof loader>();
  return (
    <OrganisationPage ready={ready}>
      {({ overview, page }) => <Commissions overview={overview} page={page} />}
    </OrganisationPage>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
