import { BlockStack, Box, Button, Text } from "@shopify/polaris";

interface Props {
  title: string;
  body: string;
  action?: { content: string; url?: string; onAction?: () => void };
}

/** Said instead of an empty list: why it is empty, and what to do about it. */
export function Nothing({ title, body, action }: Props) {
  return (
    <Box padding="800">
      <BlockStack gap="300" inlineAlign="center">
        <Text as="h2" variant="headingMd" alignment="center">
          {title}
        </Text>
        <Box maxWidth="30rem">
          <Text as="p" tone="subdued" alignment="center">
            {body}
          </Text>
        </Box>
        {action && (
          <Button variant="primary" url={action.url} onClick={action.onAction}>
            {action.content}
          </Button>
        )}
      </BlockStack>
    </Box>
  );
}
