import { Box, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";

/** What only some need to know, behind a line that opens it. */
export function LearnMore({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <details>
      <summary>{t("learnMore")}</summary>
      <Box paddingBlockStart="100">
        <Text as="p" tone="subdued">
          {text}
        </Text>
      </Box>
    </details>
  );
}
