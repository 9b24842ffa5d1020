import { BlockStack, Page } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LinkTabs } from "./link-tabs.tsx";

/** The frame of the pages of Jobs. */
export function JobsPage({ children }: { children: ReactNode }) {
  const { t } = useTranslation("jobs");
  return (
    <Page title={t("title")} subtitle={t("subtitle")}>
      <BlockStack gap="400">
        <LinkTabs
          tabs={[
            { address: "/app/jobs", label: t("tab.queue") },
            { address: "/app/jobs/runs", label: t("tab.runs") },
          ]}
        />
        <div id="tab-panel">
          <BlockStack gap="400">{children}</BlockStack>
        </div>
      </BlockStack>
    </Page>
  );
}
