import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { TabbedPage } from "./tabbed-page.tsx";

/** The frame of the pages of Catalogue. */
export function CataloguePage({ children }: { children: ReactNode }) {
  const { t } = useTranslation("catalogue");
  return (
    <TabbedPage
      title={t("title")}
      subtitle={t("subtitle")}
      fullWidth
      tabs={[
        { address: "/app/catalogue", label: t("tab.references") },
        { address: "/app/catalogue/runs", label: t("tab.runs") },
        { address: "/app/catalogue/import", label: t("tab.import") },
        { address: "/app/catalogue/settings", label: t("tab.settings") },
      ]}
    >
      {children}
    </TabbedPage>
  );
}
