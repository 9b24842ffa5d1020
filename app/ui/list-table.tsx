import { useLocation } from "@remix-run/react";
import { Box, InlineStack, Pagination } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ListPage } from "#app/platform/list-page.ts";
import styles from "./list-table.module.css";
import { useShop } from "./shop.tsx";

interface Column {
  title: string;
  /** `number`: at the end of the cell; `short`: dates and badges, which keep to one line; `id`: a contract's or quote's number */
  kind?: "number" | "short" | "id";
}

interface Row {
  key: string;
  /** one for each column; null or an empty text where there is nothing to say, which phones do not show */
  cells: ReactNode[];
}

/**
 * A list's rows. It fits its card whatever the cells hold: text wraps, and where the card is narrow each row is a block
 * of its own: what it is about, beside it the amount where there is one alone, and below the rest in a few lines. The
 * roles keep it a table for screen readers there.
 *
 * Not Polaris' IndexTable: its selection, sticky heading and measuring take the browser several times as long to start.
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
  /** of all pages, where it is known */
  total?: number | undefined;
}

/**
 * Links to the pages before and after, with the filters kept, and which rows these are: the address carries the number of
 * the first. Shows nothing where there is one page only.
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
