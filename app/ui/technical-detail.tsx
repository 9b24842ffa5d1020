import { Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import styles from "./technical-detail.module.css";

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
