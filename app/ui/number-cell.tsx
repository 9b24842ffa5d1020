import { IndexTable, Text } from "@shopify/polaris";
import type { ReactNode } from "react";

/** A cell of a table whose column holds amounts: at the end, with digits of one width. */
export function NumberCell({ children }: { children: ReactNode }) {
  return (
    <IndexTable.Cell>
      <Text as="span" alignment="end" numeric>
        {children}
      </Text>
    </IndexTable.Cell>
  );
}
