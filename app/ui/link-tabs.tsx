import { Link, useLocation, useSearchParams } from "@remix-run/react";
import { Box } from "@shopify/polaris";
import styles from "./link-tabs.module.css";

export interface LinkTab {
  address: string;
  label: string;
  /** where tabs differ by their query; otherwise the path decides */
  isCurrent?: boolean;
}

interface Props {
  /** what the tabs are about: the page's title */
  label: string;
  tabs: LinkTab[];
}

/** Tabs that are pages: the address says which one is open. */
export function LinkTabs({ label, tabs }: Props) {
  const { pathname } = useLocation();
  return (
    <nav aria-label={label} className={styles.tabs}>
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
  /** what the tabs narrow */
  label: string;
  /** what each tab sets in the list's address; the first is the whole list */
  tabs: { label: string; search: Record<string, string> }[];
}

/** A list's views as tabs above it. They are links, so they work before the page's script does. */
export function ViewTabs({ label, tabs }: ViewTabsProps) {
  const [search] = useSearchParams();
  const names = [...new Set(tabs.flatMap((tab) => Object.keys(tab.search)))];
  const addressOf = (values: Record<string, string>) => {
    const next = new URLSearchParams(search);
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
