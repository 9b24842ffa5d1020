/** Analytics, Attachment rate: how often customers buy insurance with an insurable item. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Box, Card, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { readStatistics, type Statistics } from "#app/analytics/statistics.server.ts";
import { periodFilter } from "#app/analytics/filter.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { AnalyticsPage } from "#app/ui/tabbed-page.tsx";
import { ArrivingFigures } from "#app/ui/arriving-figures.tsx";
import { useArrival } from "#app/ui/deferred.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PeriodFilter } from "#app/ui/period-filter.tsx";
import { AttachmentCharts } from "./attachment-charts.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const { timezone, currency } = merchant;
  const inUse = merchant.environment;
  const period = periodFilter.parse(Object.fromEntries(new URL(request.url).searchParams));
  return {
    inUse,
    today: toLocalDay(timezone, new Date()),
    // Not awaited: the page is sent while the orders are counted.
    statistics: readStatistics(shop, { environment: inUse, timezone, currency, ...period }),
  };
}

export default function AttachmentPage() {
  const { inUse, statistics, today } = useLoaderData<typeof loader>();
  const { t } = useTranslation(["analytics", "common"]);
  const arrival = useArrival(statistics);
  return (
    <AnalyticsPage>
      <Box paddingInline={{ xs: "400", sm: "0" }}>
        <Text as="p" tone="subdued">
          {t("attachment.about", { environment: t(`common:environment.${inUse}`) })}
        </Text>
      </Box>
      <PeriodFilter today={today} />
      <ArrivingFigures
        arrival={arrival}
        texts={{
          loading: t("attachment.loading"),
          loaded: t("attachment.loaded"),
          failedTitle: t("attachment.failedTitle"),
          failedBody: t("attachment.failedBody"),
        }}
      >
        {(value) => <Figures statistics={value} />}
      </ArrivingFigures>
    </AnalyticsPage>
  );
}

function Figures({ statistics }: { statistics: Statistics }) {
  const { t } = useTranslation("analytics");
  if (statistics.overview.total.eligible === 0)
    return (
      <Card>
        <EmptyState title={t("attachment.emptyTitle")} body={t("attachment.emptyBody")} />
      </Card>
    );
  return <AttachmentCharts statistics={statistics} />;
}

export { shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
