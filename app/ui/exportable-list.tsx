import { useLocation } from "@remix-run/react";
import { Box, Button, Card, InlineStack, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ListPage } from "#app/platform/list-page.ts";
import { CursorPages } from "./cursor-pages.tsx";
import { useDownload } from "./use-download.ts";

interface Props {
  title: string;
  /** address of the CSV file, without its search: it gets the page's own */
  file: `/app/${string}.csv`;
  page: ListPage<unknown>;
  children: ReactNode;
}

/** A list with its title, its CSV file and its pages. */
export function ExportableList({ title, file, page, children }: Props) {
  const { t } = useTranslation();
  const { search } = useLocation();
  const { downloading, download } = useDownload();
  return (
    <Card padding="0">
      <Box padding="400">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            {title}
          </Text>
          <Button
            loading={downloading}
            disabled={page.items.length === 0}
            onClick={() => void download(`${file}${search}`, file.replace(/^.*\//, ""))}
          >
            {t("action.download")}
          </Button>
        </InlineStack>
      </Box>
      {children}
      <CursorPages page={page} />
    </Card>
  );
}
