/** What the checkout's offer asks the platform's Storefront API for: one query for a line. */
import { partOf, text } from "../../parts.ts";
import { readCatalogue } from "./data.ts";
import type { CheckoutCatalogue } from "./data.ts";

/** What can be offered for a line of the cart. */
export interface LineCatalogue {
  catalogue: CheckoutCatalogue;
  /** of the variant, in hundredths; null where it is not known */
  listPrice: number | null;
}

/** The extension's own way to the Storefront API. */
export type Query = (
  query: string,
  options: { variables: Record<string, string> },
) => Promise<{ data?: unknown }>;

/**
 * Null: there is nothing to offer.
 * @param plan gid of the plan product
 * @param variant gid of the variant in the cart
 * @throws where the platform does not answer
 */
export async function fetchOffers(
  query: Query,
  plan: string,
  variant: string,
): Promise<LineCatalogue | null> {
  const { data } = await query(
    `query ParasolCheckoutOffers($plan: ID!, $variant: ID!) {
      product(id: $plan) { metafield(namespace: "$app", key: "checkout") { value } }
      node(id: $variant) { ... on ProductVariant { price { amount currencyCode } product { isGiftCard } } } }`,
    { variables: { plan, variant } },
  );
  const catalogue = readCatalogue(partOf(data, "product", "metafield", "value"));
  if (catalogue === null || partOf(data, "node", "product", "isGiftCard") === true) return null;
  const price = partOf(data, "node", "price");
  const isSameCurrency = partOf(price, "currencyCode") === catalogue.currency;
  const amount = Number(text(partOf(price, "amount")) ?? NaN);
  return { catalogue, listPrice: isSameCurrency && amount > 0 ? Math.round(amount * 100) : null };
}
