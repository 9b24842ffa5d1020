import { BlockStack, Card, InlineGrid, Text } from "@shopify/polaris";

export interface Figure {
  label: string;
  value: string;
  /** what the figure counts, where the label does not say it all */
  help?: string;
}

/** Figures in a row of cards; a list for screen readers. */
export function Figures({ figures }: { figures: Figure[] }) {
  return (
    <InlineGrid columns={{ xs: 1, sm: 2, lg: Math.min(figures.length, 4) }} gap="400">
      {figures.map(({ label, value, help }) => (
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
