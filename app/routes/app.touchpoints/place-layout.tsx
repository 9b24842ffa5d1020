import { BlockStack } from "@shopify/polaris";
import type { ReactNode } from "react";
import styles from "./place-layout.module.css";

interface Props {
  /** switches and placement */
  head: ReactNode;
  preview: ReactNode;
  /** texts and the rest of the settings */
  children: ReactNode;
}

/** On a wide window the preview stays in view beside the settings; on a phone it comes between them. */
export function PlaceLayout({ head, preview, children }: Props) {
  return (
    <div className={styles.place}>
      <BlockStack gap="400">{head}</BlockStack>
      <div className={styles.preview}>{preview}</div>
      <BlockStack gap="400">{children}</BlockStack>
    </div>
  );
}
