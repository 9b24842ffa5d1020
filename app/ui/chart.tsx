import { BlockStack, Card, InlineGrid, Scrollable, Text } from "@shopify/polaris";
import { Suspense, lazy, useSyncExternalStore } from "react";
import type { ChartData } from "./chart-drawing.tsx";
import { Folded } from "./details.tsx";
import styles from "./chart.module.css";

// The chart library is larger than a page, so it loads after the page.
const Drawing = lazy(() => import("./chart-drawing.tsx"));

const neverChanges = () => () => undefined;

interface Props extends ChartData {
  title: string;
  /** what its figures are, where the title is not enough */
  help?: string;
  /** title of the first column: "Day" */
  labelTitle: string;
  /** the line that opens the table under the drawing; without it the table is beside it */
  tableTitle?: string;
  /** half as high, beside other things of a page */
  isLow?: boolean;
}

/** A chart, and the same figures as a table for screen readers. */
export function Chart({ title, help, labelTitle, tableTitle, rows, series, kind, isLow = false }: Props) {
  // The server renders no chart: it would differ from the browser's first render.
  const isThere = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  const drawn = series.filter(({ tableOnly }) => tableOnly !== true);
  // Height for the names, one line each; the constant is for the axis and the legend.
  const blockSize =
    kind === "bars"
      ? `${rows.length * Math.max(1, drawn.length * 0.75) * 1.75 + 4}rem`
      : isLow
        ? "11rem"
        : "20rem";
  const drawing = (
    <div aria-hidden className={styles.chart} style={{ blockSize }}>
      {isThere && (
        <Suspense fallback={null}>
          <Drawing rows={rows} series={drawn} kind={kind} />
        </Suspense>
      )}
    </div>
  );
  const table = (
    <Scrollable
      className={styles.beside}
      style={{ maxBlockSize: `max(20rem, ${blockSize})` }}
      focusable
      shadow
    >
      <table className={styles.table}>
        <caption>
          <Text as="span" visuallyHidden>
            {title}
          </Text>
        </caption>
        <thead>
          <tr>
            <th scope="col">{labelTitle}</th>
            {series.map(({ key, label, wideOnly }) => (
              <th key={key} scope="col" className={wideOnly ? styles.wideNumber : styles.number}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id ?? row.label}>
              <th scope="row">{row.label}</th>
              {series.map(({ key, format, wideOnly }) => (
                <td key={key} className={wideOnly ? styles.wideNumber : styles.number}>
                  {format(row.values[key] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd">
          {title}
        </Text>
        {help !== undefined && (
          <Text as="p" tone="subdued">
            {help}
          </Text>
        )}
        {tableTitle === undefined ? (
          <InlineGrid columns={{ xs: 1, lg: series.length > 3 ? "2fr 3fr" : "2fr 1fr" }} gap="400">
            {drawing}
            {table}
          </InlineGrid>
        ) : (
          <>
            {drawing}
            <Folded summary={tableTitle} name={`${tableTitle}: ${title}`}>
              {table}
            </Folded>
          </>
        )}
      </BlockStack>
    </Card>
  );
}
