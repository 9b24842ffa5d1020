import { useLocation } from "@remix-run/react";
import { Box, InlineStack, Pagination } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ListPage } from "#app/platform/list-page.ts";
import styles from "./list-table.module.css";
import { useShop } from "./shop.tsx";

interface Column {
  title: string;
  /** `number`: at the end of the cell; `short`: dates and badges on one line; `id`: a contract's or quote's number */
  kind?: "number" | "short" | "id";
}

interface Row {
  key: string;
  /** one for each column; phones hide null and empty texts */
  cells: ReactNode[];
}

/**
 * A list's rows. Text wraps, so the list fits its card whatever the cells hold. On a narrow card each row is a block:
 * its subject, a single amount beside it, the other cells below. ARIA roles keep it a table for screen readers.
 * Polaris' IndexTable takes several times as long to start, because of selection, sticky heading and measuring.
 */
export function ListTable({ columns, rows }: { columns: Column[]; rows: Row[] }) {
  const amounts = columns.filter(({ kind }) => kind === "number").length;
  return (
    <div className={styles.card}>
      <table role="table" className={styles.table} data-amounts={amounts}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title, kind = "text" }, index) => (
              <th key={index} role="columnheader" scope="col" className={styles[kind]}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map(({ key, cells }) => (
            <tr key={key} role="row">
              {columns.map(({ title, kind = "text" }, index) => {
                const cell = cells[index] ?? "";
                return (
                  <td key={index} role="cell" className={styles[kind]} data-empty={cell === "" || undefined}>
                    <span aria-hidden className={styles.title}>
                      {title}
                    </span>
                    <div>{cell === "" ? "–" : cell}</div>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CursorPaginationProps {
  page: ListPage<unknown>;
  /** number on all pages, if known */
  total?: number | undefined;
}

/**
 * Links to the previous and next page with the same filters, and the range of rows. The URL carries the number of the
 * first row. Renders nothing for a single page.
 */
export function CursorPagination({ page: { previous, next, items, size }, total }: CursorPaginationProps) {
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
