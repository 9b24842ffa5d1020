import { Text, Box } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import styles from "./details.module.css";

/** What a program answered, in its own words, which are English: folded, as only support needs it. */
export function TechnicalDetail({ children }: { children: string }) {
  const { t } = useTranslation();
  return (
    <details className={styles.detail}>
      <summary>
        <Text as="span" tone="subdued">
          {t("technicalDetail")}
        </Text>
      </summary>
      <div lang="en">
        <Text as="p" tone="subdued" breakWord>
          {children}
        </Text>
      </div>
    </details>
  );
}

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
