import { useLocation } from "@remix-run/react";
import { Box, InlineStack, Pagination } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ListPage } from "#app/platform/list-page.ts";

/** Links to the pages before and after, with the filters kept. Shows nothing where there is one page only. */
export function CursorPagination({ page: { previous, next } }: { page: ListPage<unknown> }) {
  const { t } = useTranslation();
  const location = useLocation();
  if (previous === null && next === null) return null;
  const address = (name: "after" | "before", cursor: string | null) => {
    if (cursor === null) return undefined;
    const search = new URLSearchParams(location.search);
    search.delete("after");
    search.delete("before");
    search.set(name, cursor);
    return `${location.pathname}?${search}`;
  };
  return (
    <Box padding="200" borderBlockStartWidth="025" borderColor="border-secondary">
      <InlineStack align="center">
        <Pagination
          accessibilityLabel={t("table.pages")}
          hasPrevious={previous !== null}
          previousURL={address("before", previous)}
          hasNext={next !== null}
          nextURL={address("after", next)}
        />
      </InlineStack>
    </Box>
  );
}
