import { BlockStack, Box, Card, InlineStack, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import styles from "./titled-card.module.css";

interface CardHeaderProps {
  title: string;
  /** the card's subject, if the title is not enough */
  help?: string;
  /** links lead to the card by it */
  id?: string;
  /** beside the title: the button for the whole card */
  action?: ReactNode;
}

type Props = CardHeaderProps & { children: ReactNode };

/** A card with its title. */
export function TitledCard({ children, ...head }: Props) {
  return (
    <Card>
      <Box {...(head.id === undefined ? {} : { id: head.id })}>
        <BlockStack gap="300">
          <CardHeader {...head} />
          {children}
        </BlockStack>
      </Box>
    </Card>
  );
}

/** A card with its title and rows of full width. */
export function TitledList({ children, ...head }: Props) {
  return (
    <Card padding="0">
      <Box padding="400">
        <CardHeader {...head} />
      </Box>
      {children}
    </Card>
  );
}

/** The same for what few readers need: closed until its title is clicked. */
export function FoldedList({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card padding="0">
      <details>
        <summary className={styles.summary}>
          <Text as="h2" variant="headingMd">
            {title}
          </Text>
        </summary>
        {children}
      </details>
    </Card>
  );
}

function CardHeader({ title, help, action }: CardHeaderProps) {
  const words = (
    <BlockStack gap="100">
      <Text as="h2" variant="headingMd">
        {title}
      </Text>
      {help !== undefined && (
        <Text as="p" tone="subdued">
          {help}
        </Text>
      )}
    </BlockStack>
  );
  if (!action) return words;
  return (
    <InlineStack align="space-between" blockAlign="center" gap="200">
      {words}
      {action}
    </InlineStack>
  );
}
