import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { TabbedPage } from "./tabbed-page.tsx";

/** The frame of the pages of Analytics. */
export function AnalyticsPage({ children }: { children: ReactNode }) {
  const { t } = useTranslation("analytics");
  return (
    <TabbedPage
      title={t("title")}
      fullWidth
      tabs={[
        { address: "/app/analytics", label: t("tab.attachment") },
        { address: "/app/analytics/sales", label: t("tab.sales") },
        { address: "/app/analytics/commissions", label: t("tab.commissions") },
      ]}
    >
      {children}
    </TabbedPage>
  );
}
