import { BlockStack, Page } from "@shopify/polaris";
import type { PageProps } from "@shopify/polaris";
import type { ReactNode } from "react";
import { LinkTabs } from "./link-tabs.tsx";
import type { LinkTab } from "./link-tabs.tsx";

interface Props extends Pick<PageProps, "title" | "subtitle" | "fullWidth" | "primaryAction"> {
  tabs: LinkTab[];
  children: ReactNode;
}

/** The frame of pages that are tabs under one title. */
export function TabbedPage({ tabs, children, ...head }: Props) {
  return (
    <Page {...head}>
      <BlockStack gap="400">
        <LinkTabs label={head.title ?? ""} tabs={tabs} />
        {children}
      </BlockStack>
    </Page>
  );
}
