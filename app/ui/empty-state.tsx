import { useSearchParams } from "@remix-run/react";
import { BlockStack, Box, Button, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface Props {
  title: string;
  body: string;
  action?: { content: string; url?: string; onAction?: () => void };
}

/** Shown instead of an empty list: the reason, and the next step. */
export function EmptyState({ title, body, action }: Props) {
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

interface EmptyListProps {
  /** names of the URL parameters that filter the list */
  filters: readonly string[];
  /** what was searched, and where to search next; default: to change the filters */
  noneFound?: ReactNode;
  children: ReactNode;
}

/** The empty state of a list: no entries yet (`children`), or none that match the filters. */
export function EmptyList({ filters, noneFound, children }: EmptyListProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  if (!filters.some((name) => search.has(name))) return children;
  if (noneFound) return noneFound;
  return (
    <EmptyState
      title={t("table.noneFits.title")}
      body={t("table.noneFits.body")}
      action={{ content: t("action.clear"), onAction: () => setSearch({}) }}
    />
  );
}
