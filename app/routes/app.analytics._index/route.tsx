/** Analytics, Attachment rate: how often insurance is bought with what can be insured. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Box, Card, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { periodFilter } from "#app/analytics/filter.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { attachmentOverview } from "#app/plans/attachment/overview.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { AnalyticsPage } from "#app/ui/analytics-page.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PeriodFilter } from "#app/ui/period-filter.tsx";
import { AttachmentCharts } from "./attachment-charts.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const { timezone, currency } = merchant;
  const inUse = merchant.environment;
  const period = periodFilter.parse(Object.fromEntries(new URL(request.url).searchParams));
  const overview = await attachmentOverview(shop, { environment: inUse, timezone, currency, ...period });
  return { inUse, overview, today: toLocalDay(timezone, new Date()) };
}

export default function AttachmentPage() {
  const { inUse, overview, today } = useLoaderData<typeof loader>();
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
        <AttachmentCharts overview={overview} />
      )}
    </AnalyticsPage>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
