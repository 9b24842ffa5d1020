import { DescriptionList } from "@shopify/polaris";

/** Names beside their values. */
export function KeyValueList({ items }: { items: [name: string, value: string][] }) {
  return <DescriptionList gap="tight" items={items.map(([term, description]) => ({ term, description }))} />;
}
