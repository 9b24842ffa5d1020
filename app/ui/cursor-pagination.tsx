import { useLocation } from "@remix-run/react";
import { Box, InlineStack, Pagination } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ListPage } from "#app/platform/list-page.ts";
import { useShop } from "./shop.tsx";

interface Props {
  page: ListPage<unknown>;
  /** of all pages, where it is known */
  total?: number | undefined;
}

/**
 * Links to the pages before and after, with the filters kept, and which rows these are: the address carries the number of
 * the first. Shows nothing where there is one page only.
 */
export function CursorPagination({ page: { previous, next, items, size }, total }: Props) {
  const { t } = useTranslation();
  const { format } = useShop();
  const location = useLocation();
  if (previous === null && next === null) return null;
  const given = Number(new URLSearchParams(location.search).get("from"));
  const from = previous === null ? 1 : Number.isSafeInteger(given) && given > 1 ? given : null;
  const address = (name: "after" | "before", cursor: string | null, first: number | null) => {
    if (cursor === null) return undefined;
    const search = new URLSearchParams(location.search);
    for (const each of ["after", "before", "from"]) search.delete(each);
    search.set(name, cursor);
    if (first !== null) search.set("from", String(first));
    return `${location.pathname}?${search}`;
  };
  const rows =
    from === null
      ? undefined
      : t(total === undefined ? "table.rows" : "table.rowsOf", {
          from: format.number(from),
          to: format.number(from + items.length - 1),
          total: format.number(total ?? 0),
        });
  return (
    <Box padding="200" borderBlockStartWidth="025" borderColor="border-secondary">
      <InlineStack align="center">
        <Pagination
          accessibilityLabel={t("table.pages")}
          label={rows}
          hasPrevious={previous !== null}
          previousURL={address("before", previous, from && Math.max(1, from - size))}
          hasNext={next !== null}
          nextURL={address("after", next, from && from + items.length)}
        />
      </InlineStack>
    </Box>
  );
}
