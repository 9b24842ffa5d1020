import { Banner, Box, Button, Card, InlineStack, Spinner, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ImportStatus } from "#app/analytics/view.server.ts";
import { TechnicalDetail } from "./details.tsx";
import { EmptyState } from "./empty-state.tsx";
import { PeriodFilter } from "./period-filter.tsx";
import { useShop } from "./shop.tsx";
import { FiguresSkeleton } from "./skeletons.tsx";
import { AnalyticsPage } from "./tabbed-page.tsx";
import { useAction, useRevalidateWhile } from "./use-action.ts";
import { Permitted } from "./permitted.tsx";

/** The data of every page with the organisation's figures. */
interface Shown {
  importStatus: ImportStatus;
  /** `YYYY-MM-DD` in the shop's time zone */
  today: string;
  stores: PointOfSale[];
}

interface OrganisationPageProps<T extends Shown> {
  /** null: the organisation's token is missing */
  ready: T | null;
  children: (ready: T) => ReactNode;
}

/** A page of Analytics with the figures of the merchant's organisation: their age, their filter, the figures. */
export function OrganisationPage<T extends Shown>({ ready, children }: OrganisationPageProps<T>) {
  return (
    <AnalyticsPage>
      {ready === null ? (
        <NoOrganisation />
      ) : (
        <>
          <AnalyticsImportStatus {...ready.importStatus} />
          <OrganisationFilter today={ready.today} stores={ready.stores} />
          {/* Before the first import there are no figures to show, not even an empty list. */}
          {ready.importStatus.succeededAt !== null
            ? children(ready)
            : ready.importStatus.rowsSoFar !== null && <FiguresSkeleton />}
        </>
      )}
    </AnalyticsPage>
  );
}

function NoOrganisation() {
  const { t } = useTranslation("analytics");
  return (
    <Card>
      <EmptyState
        title={t("noToken.title")}
        body={t("noToken.body")}
        action={{ content: t("noToken.action"), url: "/app/connection" }}
      />
    </Card>
  );
}

/** The age of the organisation's figures, and the button that refreshes them. */
function AnalyticsImportStatus({ rowsSoFar, succeededAt, earlier, problem }: ImportStatus) {
  const { t } = useTranslation("analytics");
  const { format } = useShop();
  const fetcher = useAction();
  useRevalidateWhile(rowsSoFar !== null);
  return (
    <>
      {problem !== null && (
        <Banner tone="warning">
          <Text as="p">{t(`importStatus.${problem === "refused" ? "refused" : "failed"}`)}</Text>
          {problem !== "refused" && <TechnicalDetail>{problem}</TechnicalDetail>}
        </Banner>
      )}
      <Box role="status" paddingInline={{ xs: "400", sm: "0" }}>
        <InlineStack gap="200" blockAlign="center">
          {rowsSoFar !== null ? (
            <>
              <Spinner size="small" accessibilityLabel="" />
              <Text as="span">{t("importStatus.running", { rows: format.number(rowsSoFar) })}</Text>
            </>
          ) : (
            succeededAt && (
              <Text as="span" tone="subdued">
                {earlier === null
                  ? t("importStatus.done", { date: format.dateTime(succeededAt) })
                  : t("importStatus.recent", {
                      date: format.dateTime(succeededAt),
                      before: format.date(earlier.before),
                      readAt: format.dateTime(earlier.readAt),
                    })}
              </Text>
            )
          )}
          {rowsSoFar === null && (
            <Permitted to="/app/analytics/sales">
              <Button
                variant="plain"
                loading={fetcher.state !== "idle"}
                onClick={() => fetcher.submit(null, { method: "post", action: "/app/analytics/sales" })}
              >
                {t("importStatus.refresh")}
              </Button>
            </Permitted>
          )}
        </InlineStack>
      </Box>
    </>
  );
}

export interface PointOfSale {
  storeId: string;
  store: string;
  storeExternalId: string;
}

interface OrganisationFilterProps {
  /** `YYYY-MM-DD` in the shop's time zone */
  today: string;
  stores: PointOfSale[];
}

/** Two points of sale may share a name. */
const storeLabel = ({ store, storeExternalId }: PointOfSale) =>
  storeExternalId === "" ? store : `${store} (${storeExternalId})`;

/** A chart row that identifies a point of sale. */
export function storeRow(
  { storeId, store }: { storeId: string; store: string },
  stores: readonly PointOfSale[],
) {
  const known = stores.find((each) => each.storeId === storeId);
  return { id: storeId, label: known ? storeLabel(known) : store };
}

/** Period, point of sale and billing of the organisation's figures. */
function OrganisationFilter({ today, stores }: OrganisationFilterProps) {
  const { t } = useTranslation("analytics");
  return (
    <PeriodFilter
      today={today}
      choices={[
        {
          name: "stores",
          label: t("filter.stores"),
          all: t("filter.allStores"),
          options: stores.map((store) => ({ value: store.storeId, label: storeLabel(store) })),
        },
        {
          name: "billing",
          label: t("filter.billing"),
          all: t("filter.allBillings"),
          options: [
            { value: "monthly", label: t("filter.monthly") },
            { value: "annually", label: t("filter.annually") },
          ],
        },
      ]}
    />
  );
}

export const organisationFilterNames = ["start", "end", "stores", "billing"] as const;
