import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { TabbedPage } from "./tabbed-page.tsx";

/** The frame of the pages of Jobs. */
export function JobsPage({ children }: { children: ReactNode }) {
  const { t } = useTranslation("jobs");
  return (
    <TabbedPage
      title={t("title")}
      subtitle={t("subtitle")}
      tabs={[
        { address: "/app/jobs", label: t("tab.queue") },
        { address: "/app/jobs/runs", label: t("tab.runs") },
      ]}
    >
      {children}
    </TabbedPage>
  );
}
