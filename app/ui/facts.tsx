import { DescriptionList } from "@shopify/polaris";

/** Facts of one thing: names and values. */
export function Facts({ facts }: { facts: [name: string, value: string][] }) {
  return <DescriptionList gap="tight" items={facts.map(([term, description]) => ({ term, description }))} />;
}
