import { Box, DescriptionList, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
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

/** Names beside their values. */
export function KeyValueList({ items }: { items: [name: string, value: string][] }) {
  return <DescriptionList gap="tight" items={items.map(([term, description]) => ({ term, description }))} />;
}

/** Names and values one under the other, for a narrow column. */
export function StackedKeyValueList({ items }: { items: [name: string, value: ReactNode][] }) {
  return (
    <dl className={styles.list}>
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>
            <Text as="span" tone="subdued">
              {name}
            </Text>
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
