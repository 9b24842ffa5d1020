import { BlockStack, Card, Scrollable, Text } from "@shopify/polaris";
import { Suspense, lazy, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
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
  /** half as high, beside other things of a page */
  isLow?: boolean;
}

/** A chart, and all its figures as a table that opens below it: screen readers have no other. */
export function Chart({ title, help, labelTitle, rows, series, kind, isLow = false }: Props) {
  const { t } = useTranslation();
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
        <div aria-hidden className={styles.chart} style={{ blockSize }}>
          {isThere && (
            <Suspense fallback={null}>
              <Drawing rows={rows} series={drawn} kind={kind} />
            </Suspense>
          )}
        </div>
        <Folded summary={t("showFigures")} name={`${t("showFigures")}: ${title}`}>
          <Scrollable
            className={styles.figures}
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
        </Folded>
      </BlockStack>
    </Card>
  );
}
