import type { PageProps } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { TabbedPage } from "./tabbed-page.tsx";

interface Props extends Pick<PageProps, "subtitle" | "primaryAction"> {
  children: ReactNode;
}

/** The frame of the pages of Orders and contracts: the orders, and what comes of them. */
export function OrdersPage(props: Props) {
  const { t } = useTranslation();
  return (
    <TabbedPage
      {...props}
      title={t("nav.orders")}
      fullWidth
      tabs={[
        { address: "/app/orders", label: t("tab.orders") },
        { address: "/app/leads", label: t("tab.leads") },
        { address: "/app/leads/automatic", label: t("tab.automaticLeads") },
        { address: "/app/claims", label: t("tab.claims") },
      ]}
    />
  );
}
