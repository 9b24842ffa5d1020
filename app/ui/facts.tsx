import { DescriptionList } from "@shopify/polaris";
import type { ReactNode } from "react";

/** Facts of one thing: names and values. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return <DescriptionList gap="tight" items={facts.map(([term, description]) => ({ term, description }))} />;
}
