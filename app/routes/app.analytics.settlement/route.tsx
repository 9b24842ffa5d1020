/** Analytics, Settlement: a month between the shop and the insurer, its differences, its files, and closing it. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Banner, BlockStack, Box, Card, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { choosePointsOfSale } from "#app/settlement/choose-stores.server.ts";
import { closeMonth } from "#app/settlement/close-month.server.ts";
import { isMonth } from "#app/settlement/month.ts";
import { offeredMonths, readMonthRequest } from "#app/settlement/month-request.server.ts";
import { nameOfStore } from "#app/settlement/point-of-sale.ts";
import { readSettlement, type SettlementView } from "#app/settlement/settlement-page.server.ts";
import { refused, success } from "#app/ui/action-result.ts";
import { ArrivingFigures } from "#app/ui/arriving-figures.tsx";
import { useArrival } from "#app/ui/deferred.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { fileLanguage } from "#app/ui/file-language.server.ts";
import { useShop } from "#app/ui/shop.tsx";
import { AnalyticsPage } from "#app/ui/tabbed-page.tsx";
import { DifferencesCard } from "./differences-card.tsx";
import { MonthFilesCard } from "./month-files-card.tsx";
import { MonthFilter } from "./month-filter.tsx";
import type { SettlementResult } from "./settlement-result.ts";
import { StoresCard } from "./stores-card.tsx";
import { RulesCard, TotalsCards } from "./totals-cards.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { merchant } = await requireMerchant(request);
  const { current, ...asked } = readMonthRequest(request.url, merchant, new Date());
  return {
    inUse: merchant.environment,
    month: asked.month,
    months: offeredMonths(current, merchant),
    isOver: asked.month < current,
    // Not awaited: the page is sent while the month is settled.
    view: readSettlement(merchant, asked),
  };
}

const intents = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("close"), month: z.string().refine(isMonth) }),
  /** the insurer's ids, separated by commas */
  z.object({ intent: z.literal("choose_stores"), stores: z.string() }),
]);

/** Closes the month, or says which points of sale are this shop. */
export const action = pageAction(
  async ({ request }, { merchant, actor, locale }): Promise<SettlementResult> => {
    const form = await parseForm(request, intents);
    if (form.intent === "choose_stores") {
      const result = await choosePointsOfSale(merchant, form.stores.split(","), actor);
      return result === "saved" ? success() : refused(result);
    }
    const { month } = form;
    const language = fileLanguage(locale, merchant, new URLSearchParams({ month }));
    const result = await closeMonth(merchant, month, actor, language);
    return result === "closed" ? success() : refused(result);
  },
);

export default function SettlementPage() {
  const { inUse, month, months, isOver, view } = useLoaderData<typeof loader>();
  const { t } = useTranslation(["settlement", "common"]);
  const arrival = useArrival(view);
  return (
    <AnalyticsPage>
      <Box paddingInline={{ xs: "400", sm: "0" }}>
        <Text as="p" tone="subdued">
          {t("about", { environment: t(`common:environment.${inUse}`) })}
        </Text>
      </Box>
      <MonthFilter
        month={month}
        months={months}
        view={arrival.state === "failed" ? undefined : arrival.value}
      />
      <ArrivingFigures
        arrival={arrival}
        texts={{
          loading: t("loading"),
          loaded: t("loaded"),
          failedTitle: t("failedTitle"),
          failedBody: t("failedBody"),
        }}
      >
        {(value) => <Month view={value} month={month} isOver={isOver} />}
      </ArrivingFigures>
    </AnalyticsPage>
  );
}

interface MonthProps {
  view: SettlementView;
  month: string;
  isOver: boolean;
}

function Month({ view, month, isOver }: MonthProps) {
  const { t } = useTranslation("settlement");
  const { premiums, commissions } = view.totals;
  const isEmpty =
    premiums.length === 0 &&
    (commissions?.earnedMinor ?? 0) === 0 &&
    view.differences === 0 &&
    view.closedAt === null;
  return (
    <>
      <Sources view={view} />
      {view.stores.length > (view.own === null ? 0 : 1) && (
        <StoresCard key={view.own?.storeIds.join()} view={view} />
      )}
      {isEmpty ? (
        <Card>
          <EmptyState title={t("empty.title")} body={t("empty.body")} />
        </Card>
      ) : (
        <TotalsCards {...view.totals} />
      )}
      {!isEmpty && <DifferencesCard view={view} month={month} />}
      {view.otherStoreId === null && <MonthFilesCard view={view} month={month} isOver={isOver} />}
      <RulesCard />
    </>
  );
}

/** How old the insurer's figures are, or what the page cannot tell without them. */
function Sources({ view }: { view: SettlementView }) {
  const { t } = useTranslation("settlement");
  const { format } = useShop();
  const { closedAt, hasOrganisation, importedAt, otherStoreId, own, stores } = view;
  const [only, ...otherStores] = stores;
  return (
    <BlockStack gap="400">
      {closedAt !== null && (
        <Banner tone="success">{t("closedOn", { date: format.dateTime(closedAt) })}</Banner>
      )}
      {!hasOrganisation ? (
        <Banner tone="info" action={{ content: t("enterToken"), url: "/app/connection" }}>
          {t("noToken")}
        </Banner>
      ) : importedAt === null ? (
        <Banner tone="info" action={{ content: t("import"), url: "/app/analytics/sales" }}>
          {t("noImport")}
        </Banner>
      ) : (
        <Box paddingInline={{ xs: "400", sm: "0" }}>
          <Text as="p" tone="subdued">
            {t("asOf", { date: format.dateTime(importedAt) })}
            {only &&
              own &&
              otherStores.length === 0 &&
              ` ${t(`stores.${own.reason}`, { stores: nameOfStore(only) })}`}
          </Text>
        </Box>
      )}
      {hasOrganisation && importedAt !== null && stores.length === 0 && (
        <Banner tone="warning">{t("noStores")}</Banner>
      )}
      {otherStoreId !== null && <Banner tone="info">{t("otherStore")}</Banner>}
    </BlockStack>
  );
}

export { clientAction, shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
