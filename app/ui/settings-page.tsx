import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { TabbedPage } from "./tabbed-page.tsx";

interface Props {
  subtitle?: string;
  children: ReactNode;
}

/** The frame of the pages of Settings: what is set once, and what was done. */
export function SettingsPage(props: Props) {
  const { t } = useTranslation();
  return (
    <TabbedPage
      {...props}
      title={t("nav.settings")}
      tabs={[
        { address: "/app/settings", label: t("tab.general") },
        { address: "/app/connection", label: t("tab.connection") },
        { address: "/app/history", label: t("tab.history") },
      ]}
    />
  );
}
