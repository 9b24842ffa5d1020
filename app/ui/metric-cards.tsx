import { BlockStack, Card, InlineGrid, Text } from "@shopify/polaris";

export interface Metric {
  label: string;
  value: string;
  /** what the metric counts, if the label is not enough */
  help?: string;
}

/** Numbers in rows of cards: at most four in a row, and three if four would leave a short last row. */
export function MetricCards({ metrics }: { metrics: Metric[] }) {
  const columns = metrics.length > 4 && metrics.length % 4 !== 0 ? 3 : Math.min(metrics.length, 4);
  return (
    <InlineGrid columns={{ xs: 1, sm: 2, lg: columns }} gap="400">
      {metrics.map(({ label, value, help }) => (
        <Card key={label}>
          <BlockStack gap="100">
            <Text as="h3" variant="bodySm" tone="subdued">
              {label}
            </Text>
            <Text as="p" variant="headingLg" numeric>
              {value}
            </Text>
            {help !== undefined && (
              <Text as="p" variant="bodySm" tone="subdued">
                {help}
              </Text>
            )}
          </BlockStack>
        </Card>
      ))}
    </InlineGrid>
  );
}
