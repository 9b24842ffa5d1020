import { Box, DescriptionList, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import styles from "./details.module.css";

interface FoldedProps {
  /** the line that opens it */
  summary: string;
  /** the same for screen readers, if a page has several */
  name?: string;
  open?: boolean;
  children: ReactNode;
}

/** Details for a few readers, behind a line that opens them. */
export function Folded({ summary, name, open = false, children }: FoldedProps) {
  return (
    <details className={styles.detail} open={open}>
      <summary aria-label={name}>
        <Text as="span" tone="subdued">
          {summary}
        </Text>
      </summary>
      {children}
    </details>
  );
}

/** A program's message, in English as received. It is folded because only support needs it. */
export function TechnicalDetail({ children }: { children: string }) {
  const { t } = useTranslation();
  return (
    <Folded summary={t("technicalDetail")}>
      <div lang="en">
        <Text as="p" tone="subdued" breakWord>
          {children}
        </Text>
      </div>
    </Folded>
  );
}

/** Details for a few readers, behind a line that opens them. */
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

/** A field's help: what it does, and the rest behind a line that opens it. */
export function FieldHelp({ text, more }: { text: string; more: string }) {
  return (
    <>
      {text}
      <LearnMore text={more} />
    </>
  );
}

/** Names beside their values. */
export function KeyValueList({ items }: { items: [name: string, value: ReactNode][] }) {
  return <DescriptionList gap="tight" items={items.map(([term, description]) => ({ term, description }))} />;
}

/** Names and values one below the other, for a narrow column. */
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
