import { Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import styles from "./fact-list.module.css";

/** Names and values one under the other, for a narrow column. */
export function FactList({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
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
