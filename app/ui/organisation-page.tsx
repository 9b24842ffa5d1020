import { Card } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ImportStatus } from "#app/analytics/view.server.ts";
import { AnalyticsPage } from "./analytics-page.tsx";
import { EmptyState } from "./empty-state.tsx";
import { AnalyticsImportStatus } from "./analytics-import-status.tsx";
import { OrganisationFilter } from "./organisation-filter.tsx";
import { FiguresSkeleton } from "./skeletons.tsx";
import type { PointOfSale } from "./organisation-filter.tsx";

/** What every page of the organisation's figures has. */
interface Shown {
  importStatus: ImportStatus;
  /** `YYYY-MM-DD` in the shop's time zone */
  today: string;
  stores: PointOfSale[];
}

interface Props<T extends Shown> {
  /** null: the organisation's token is missing */
  ready: T | null;
  children: (ready: T) => ReactNode;
}

/** A page of Analytics with the figures of the merchant's organisation: how fresh they are, their filter, themselves. */
export function OrganisationPage<T extends Shown>({ ready, children }: Props<T>) {
  return (
    <AnalyticsPage>
      {ready === null ? (
        <NoOrganisation />
      ) : (
        <>
          <AnalyticsImportStatus {...ready.importStatus} />
          <OrganisationFilter today={ready.today} stores={ready.stores} />
          {/* Before the first import there is nothing to say, not even that there is nothing. */}
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
