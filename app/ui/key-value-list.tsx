import { DescriptionList, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import styles from "./key-value-list.module.css";

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
