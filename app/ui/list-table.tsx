import type { ReactNode } from "react";
import styles from "./list-table.module.css";

export interface Column {
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
