import { BlockStack, Page } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LinkTabs } from "./link-tabs.tsx";

/** The frame of the pages of Catalogue. */
export function CataloguePage({ children }: { children: ReactNode }) {
  const { t } = useTranslation("catalogue");
  return (
    <Page title={t("title")} subtitle={t("subtitle")} fullWidth>
      <BlockStack gap="400">
        <LinkTabs
          tabs={[
            { address: "/app/catalogue", label: t("tab.references") },
            { address: "/app/catalogue/runs", label: t("tab.runs") },
            { address: "/app/catalogue/import", label: t("tab.import") },
            { address: "/app/catalogue/settings", label: t("tab.settings") },
          ]}
        />
        <div id="tab-panel">
          <BlockStack gap="400">{children}</BlockStack>
        </div>
      </BlockStack>
    </Page>
  );
}
