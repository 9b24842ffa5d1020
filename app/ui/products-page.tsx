import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { TabbedPage } from "./tabbed-page.tsx";

/** The frame of the pages of Insured products. */
export function ProductsPage({ children }: { children: ReactNode }) {
  const { t } = useTranslation("products");
  return (
    <TabbedPage
      title={t("title")}
      subtitle={t("subtitle")}
      fullWidth
      tabs={[
        { address: "/app/products", label: t("tab.rules") },
        { address: "/app/products/list", label: t("tab.list") },
        { address: "/app/products/categories", label: t("tab.categories") },
        { address: "/app/products/inspector", label: t("tab.inspector") },
      ]}
    >
      {children}
    </TabbedPage>
  );
}
