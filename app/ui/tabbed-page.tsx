import { BlockStack, Page, Box } from "@shopify/polaris";
import type { PageProps } from "@shopify/polaris";
import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation, useSearchParams } from "@remix-run/react";
import { useTargetSearch } from "./period-filter.tsx";
import { settingsAddress, settingsPartIn, settingsParts } from "./settings-parts.ts";
import { useTranslation } from "react-i18next";
import styles from "./tabbed-page.module.css";

interface TabbedPageProps extends Pick<PageProps, "title" | "subtitle" | "fullWidth" | "primaryAction"> {
  tabs: LinkTab[];
  children: ReactNode;
}

/** The frame of pages that are tabs under one title. */
export function TabbedPage({ tabs, children, ...head }: TabbedPageProps) {
  return (
    <Page {...head}>
      <BlockStack gap="400">
        <LinkTabs label={head.title ?? ""} tabs={tabs} />
        {children}
      </BlockStack>
    </Page>
  );
}

interface LinkTab {
  address: string;
  label: string;
  /** set if tabs differ by their query; otherwise the path decides */
  isCurrent?: boolean;
}

interface LinkTabsProps {
  /** the page's title */
  label: string;
  tabs: LinkTab[];
}

/** Tabs that are pages: the URL names the open one. */
export function LinkTabs({ label, tabs }: LinkTabsProps) {
  const { pathname, search } = useLocation();
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the open tab may be beyond the edge.
    const current = bar.current?.querySelector<HTMLElement>("[aria-current]");
    if (current && bar.current) bar.current.scrollLeft = current.offsetLeft - bar.current.offsetLeft - 16;
  }, [pathname, search]);
  return (
    <nav ref={bar} aria-label={label} className={styles.tabs}>
      {tabs.map((tab) => (
        <Link
          key={tab.address}
          to={tab.address}
          className={styles.tab}
          aria-current={(tab.isCurrent ?? tab.address === pathname) ? "page" : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}

interface ViewTabsProps {
  /** what the tabs filter, for screen readers */
  label: string;
  /** the parameters that each tab sets in the list's URL; the first tab is the whole list */
  tabs: { label: string; search: Record<string, string> }[];
}

/** A list's views as tabs above it. They are links, so they work before hydration. */
export function ViewTabs({ label, tabs }: ViewTabsProps) {
  const [search] = useSearchParams();
  const target = useTargetSearch();
  const names = [...new Set(tabs.flatMap((tab) => Object.keys(tab.search)))];
  const addressOf = (values: Record<string, string>) => {
    const next = new URLSearchParams(target);
    for (const name of [...names, "after", "before"]) next.delete(name);
    for (const [name, value] of Object.entries(values)) next.set(name, value);
    return `?${next}`;
  };
  return (
    <Box paddingBlockEnd="200" paddingInline={{ sm: "300" }}>
      <LinkTabs
        label={label}
        tabs={tabs.map((tab) => ({
          label: tab.label,
          address: addressOf(tab.search),
          isCurrent: names.every((name) => (search.get(name) ?? "") === (tab.search[name] ?? "")),
        }))}
      />
    </Box>
  );
}

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
        { address: "/app/analytics/settlement", label: t("tab.settlement") },
      ]}
    >
      {children}
    </TabbedPage>
  );
}

interface OrdersPageProps extends Pick<PageProps, "subtitle" | "primaryAction"> {
  children: ReactNode;
}

/** The frame of the pages of Orders and contracts: orders, plans, tasks and claims. */
export function OrdersPage(props: OrdersPageProps) {
  const { t } = useTranslation();
  return (
    <TabbedPage
      {...props}
      title={t("nav.orders")}
      fullWidth
      tabs={[
        { address: "/app/orders", label: t("tab.orders") },
        { address: "/app/plans", label: t("tab.plans") },
        { address: "/app/quotes", label: t("tab.quotes") },
        { address: "/app/quotes/automatic", label: t("tab.automaticQuotes") },
        { address: "/app/claims", label: t("tab.claims") },
      ]}
    />
  );
}

interface SettingsPageProps {
  subtitle?: string;
  children: ReactNode;
}

/** The frame of the pages of Settings: the parts of its form, the connection and the History. */
export function SettingsPage(props: SettingsPageProps) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  return (
    <TabbedPage
      {...props}
      title={t("nav.settings")}
      tabs={[
        ...settingsParts.map((part) => ({
          address: settingsAddress(part),
          label: t(`tab.settings.${part}`),
          isCurrent: pathname === "/app/settings" && part === settingsPartIn(search),
        })),
        { address: "/app/connection", label: t("tab.connection") },
        { address: "/app/history", label: t("tab.history") },
      ]}
    />
  );
}

/** The frame of the pages of Catalogue. */
export function CataloguePage({ children }: { children: ReactNode }) {
  const { t } = useTranslation("catalogue");
  return (
    <TabbedPage
      title={t("title")}
      subtitle={t("subtitle")}
      fullWidth
      tabs={[
        { address: "/app/catalogue", label: t("tab.prices") },
        { address: "/app/catalogue/list", label: t("tab.references") },
        { address: "/app/catalogue/settings", label: t("tab.settings") },
      ]}
    >
      {children}
    </TabbedPage>
  );
}

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
