import { BlockStack, Card, InlineGrid, Scrollable, Text } from "@shopify/polaris";
import { Suspense, lazy, useSyncExternalStore } from "react";
import type { ChartData } from "./chart-data.ts";
import styles from "./table.module.css";

// The chart library is larger than a page: it comes after the page is there.
const Drawing = lazy(() => import("./chart-drawing.tsx"));

const neverChanges = () => () => undefined;

interface Props extends ChartData {
  title: string;
  /** what the first column holds: "Day" */
  labelTitle: string;
}

/** A chart and, beside it, the same figures as a table, which is what a screen reader gets. */
export function Chart({ title, labelTitle, rows, series, kind }: Props) {
  // The server draws nothing: what waits for a script must not be part of what the browser takes over from it.
  const isThere = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd">
          {title}
        </Text>
        <InlineGrid columns={{ xs: 1, lg: series.length > 3 ? "2fr 3fr" : "2fr 1fr" }} gap="400">
          <div aria-hidden className={styles.chart}>
            {isThere && (
              <Suspense fallback={null}>
                <Drawing
                  rows={rows}
                  series={series.filter(({ tableOnly }) => tableOnly !== true)}
                  kind={kind}
                />
              </Suspense>
            )}
          </div>
          <Scrollable className={styles.beside} focusable shadow>
            <table className={styles.table}>
              <caption>
                <Text as="span" visuallyHidden>
                  {title}
                </Text>
              </caption>
              <thead>
                <tr>
                  <th scope="col">{labelTitle}</th>
                  {series.map(({ key, label }) => (
                    <th key={key} scope="col" className={styles.number}>
                      {label}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.id ?? row.label}>
                    <th scope="row">{row.label}</th>
                    {series.map(({ key, format }) => (
                      <td key={key} className={styles.number}>
                        {format(row.values[key] ?? 0)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrollable>
        </InlineGrid>
      </BlockStack>
    </Card>
  );
}
