/** The queries of the checkout's offer to Shopify's Storefront API, in the buyer's market and language. */
import { numberOf, partOf, text } from "../../parts.ts";
import type { Offer } from "../../storefront-scripts/offers.ts";
import { readCatalogue } from "./data.ts";
import type { CheckoutCatalogue } from "./data.ts";

/** What can be offered for a line of the cart. */
export interface LineCatalogue {
  catalogue: CheckoutCatalogue;
  /** of the variant, in hundredths; null where it is not known */
  listPrice: number | null;
}

/** The product that an offer adds to the cart, as the shop shows it. */
export interface PlanProduct {
  title: string;
  /** address of its picture; null where it has none */
  image: string | null;
  /** what the buyer is charged for an item, in hundredths */
  price: number;
}

/** Where the buyer is and what they read: decides prices and titles. */
export interface Buyer {
  /** ISO 3166; null where it is not known */
  country: string | null;
  /** `fr`, `pt-BR` */
  language: string;
}

/** The extension's own way to the Storefront API. */
export type Query = (
  query: string,
  options: { variables: Record<string, unknown> },
) => Promise<{ data?: unknown }>;

const CONTEXT = "@inContext(country: $country, language: $language)";

const contextOf = ({ country, language }: Buyer) => {
  const [base = "", region] = language.split("-");
  // Of the languages with a region Shopify's list has few; a name that it lacks would fail the whole query.
  return { country, language: (base === "pt" && region ? `${base}_${region}` : base).toUpperCase() };
};

/** An amount in hundredths; null where it is none, or in another currency. */
function priceOf(value: unknown, currency: string): number | null {
  const amount = Number(text(partOf(value, "amount")) ?? NaN);
  return partOf(value, "currencyCode") === currency && amount > 0 ? Math.round(amount * 100) : null;
}

/**
 * Null: there is nothing to offer.
 * @param plan gid of the plan product that holds the category's offers
 * @param variant gid of the variant in the cart
 * @throws where Shopify does not answer
 */
export async function fetchOffers(
  query: Query,
  { plan, variant, buyer }: { plan: string; variant: string; buyer: Buyer },
): Promise<LineCatalogue | null> {
  const { data } = await query(
    `query ParasolCheckoutOffers($plan: ID!, $variant: ID!, $country: CountryCode, $language: LanguageCode) ${CONTEXT} {
      product(id: $plan) { metafield(namespace: "$app", key: "checkout") { value } }
      node(id: $variant) { ... on ProductVariant { price { amount currencyCode } product { isGiftCard } } } }`,
    { variables: { plan, variant, ...contextOf(buyer) } },
  );
  const catalogue = readCatalogue(partOf(data, "product", "metafield", "value"));
  if (catalogue === null || partOf(data, "node", "product", "isGiftCard") === true) return null;
  return { catalogue, listPrice: priceOf(partOf(data, "node", "price"), catalogue.currency) };
}

/**
 * The products of the offers, by the number of their variant; without those that the shop does not sell in this currency.
 * @param variants numbers of the offers' variants, at most the offers of one price band
 * @throws where Shopify does not answer
 */
export async function fetchPlanProducts(
  query: Query,
  { variants, currency, buyer }: { variants: string[]; currency: string; buyer: Buyer },
): Promise<ReadonlyMap<string, PlanProduct>> {
  const { data } = await query(
    `query ParasolCheckoutPlans($ids: [ID!]!, $country: CountryCode, $language: LanguageCode) ${CONTEXT} {
      nodes(ids: $ids) { ... on ProductVariant { id price { amount currencyCode }
        product { title featuredImage { url } } } } }`,
    {
      variables: {
        ids: variants.map((variant) => `gid://shopify/ProductVariant/${variant}`),
        ...contextOf(buyer),
      },
    },
  );
  const nodes = partOf(data, "nodes");
  if (!Array.isArray(nodes)) return new Map();
  return new Map(
    nodes.flatMap((node: unknown): [string, PlanProduct][] => {
      const [id, title] = [text(partOf(node, "id")), text(partOf(node, "product", "title"))];
      const price = priceOf(partOf(node, "price"), currency);
      const image = text(partOf(node, "product", "featuredImage", "url"));
      return id === null || title === null || price === null ? [] : [[numberOf(id), { title, image, price }]];
    }),
  );
}

/** The offers whose plan the shop charges what the offer says: a market's price list can change that. */
export function offersAtTheirPrice(
  offers: readonly Offer[],
  products: ReadonlyMap<string, PlanProduct>,
): Offer[] {
  return offers.filter(([, price, , variant]) => products.get(variant)?.price === price);
}
