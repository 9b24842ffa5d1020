import { Box, Card, InlineStack, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import type { ListPage } from "#app/platform/list-page.ts";
import { CursorPages } from "./cursor-pages.tsx";
import { DownloadButton } from "./download-button.tsx";

interface Props {
  title: string;
  /** address of the CSV file, without its search: it gets the page's own */
  file: `/app/${string}.csv`;
  page: ListPage<unknown>;
  children: ReactNode;
}

/** A list with its title, its CSV file and its pages. */
export function ExportableList({ title, file, page, children }: Props) {
  return (
    <Card padding="0">
      <Box padding="400">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            {title}
          </Text>
          <DownloadButton file={file} disabled={page.items.length === 0} />
        </InlineStack>
      </Box>
      {children}
      <CursorPages page={page} />
    </Card>
  );
}
