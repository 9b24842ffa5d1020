/** Analytics, Attachment rate: how often insurance is bought with what can be insured. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Box, Card, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { commissionsOverview } from "#app/analytics/organisation-figures.server.ts";
import { organisationFilter, periodFilter } from "#app/analytics/filter.ts";
import { readOrganisationView } from "#app/analytics/view.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { attachmentOverview } from "#app/plans/attachment/overview.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { AnalyticsPage } from "#app/ui/tabbed-page.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PeriodFilter } from "#app/ui/period-filter.tsx";
import { AttachmentCharts } from "./attachment-charts.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const { timezone, currency } = merchant;
  const inUse = merchant.environment;
  const period = periodFilter.parse(Object.fromEntries(new URL(request.url).searchParams));
  const [overview, commissionMinor] = await Promise.all([
    attachmentOverview(shop, { environment: inUse, timezone, currency, ...period }),
    readCommission(),
  ]);
  return { inUse, overview, commissionMinor, today: toLocalDay(timezone, new Date()) };

  /** What the organisation earned in the period, euro cents; null: it has no token, or its figures are not there yet. */
  async function readCommission(): Promise<number | null> {
    const view = await readOrganisationView(merchant);
    if (view.state !== "ready") return null;
    const { total } = await commissionsOverview(shop, view.organisation, organisationFilter.parse(period));
    return view.importStatus.succeededAt === null ? null : total.frontMinor + total.airMinor;
  }
}

export default function AttachmentPage() {
  const { inUse, overview, commissionMinor, today } = useLoaderData<typeof loader>();
  const { t } = useTranslation(["analytics", "common"]);
  return (
    <AnalyticsPage>
      <Box paddingInline={{ xs: "400", sm: "0" }}>
        <Text as="p" tone="subdued">
          {t("attachment.about", { environment: t(`common:environment.${inUse}`) })}
        </Text>
      </Box>
      <PeriodFilter today={today} />
      {overview.total.eligible === 0 ? (
        <Card>
          <EmptyState title={t("attachment.emptyTitle")} body={t("attachment.emptyBody")} />
        </Card>
      ) : (
        <AttachmentCharts overview={overview} commissionMinor={commissionMinor} />
      )}
    </AnalyticsPage>
  );
}

export { shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
