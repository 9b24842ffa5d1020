import { BlockStack, Page } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LinkTabs } from "./link-tabs.tsx";

/** The frame of the pages of Products and categories. */
export function ProductsPage({ children }: { children: ReactNode }) {
  const { t } = useTranslation("products");
  return (
    <Page title={t("title")} subtitle={t("subtitle")} fullWidth>
      <BlockStack gap="400">
        <LinkTabs
          tabs={[
            { address: "/app/products", label: t("tab.rules") },
            { address: "/app/products/list", label: t("tab.list") },
            { address: "/app/products/categories", label: t("tab.categories") },
            { address: "/app/products/why", label: t("tab.why") },
          ]}
        />
        <div id="tab-panel">
          <BlockStack gap="400">{children}</BlockStack>
        </div>
      </BlockStack>
    </Page>
  );
}
