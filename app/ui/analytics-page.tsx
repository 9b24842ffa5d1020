import { BlockStack, Page } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LinkTabs } from "./link-tabs.tsx";

/** The frame of the pages of Analytics. */
export function AnalyticsPage({ children }: { children: ReactNode }) {
  const { t } = useTranslation("analytics");
  return (
    <Page title={t("title")} fullWidth>
      <BlockStack gap="400">
        <LinkTabs
          tabs={[
            { address: "/app/analytics", label: t("tab.attachment") },
            { address: "/app/analytics/sales", label: t("tab.sales") },
            { address: "/app/analytics/commissions", label: t("tab.commissions") },
          ]}
        />
        <div id="tab-panel">
          <BlockStack gap="400">{children}</BlockStack>
        </div>
      </BlockStack>
    </Page>
  );
}
