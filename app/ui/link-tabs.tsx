import { Link, useLocation } from "@remix-run/react";
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
