/** The queries of the checkout's offer to Shopify's Storefront API, in the buyer's market and language. */
import { numberOf, partOf, text } from "../../parts.ts";
import type { Offer } from "../../catalogue.ts";
import { readCatalogue } from "./data.ts";
import type { CheckoutCatalogue } from "./data.ts";

/** The offers' data for a line of the cart. */
export interface LineCatalogue {
  catalogue: CheckoutCatalogue;
  /** of the variant, in hundredths; null: not known */
  listPrice: number | null;
}

/** The product that an offer adds to the cart, as the shop shows it. */
export interface PlanProduct {
  title: string;
  /** URL of its picture; null: none */
  image: string | null;
  /** the buyer's price of an item, in hundredths */
  price: number;
}

/** The buyer's country and language, which decide prices and titles. */
export interface Buyer {
  /** ISO 3166; null: not known */
  country: string | null;
  /** `fr`, `pt-BR` */
  language: string;
}

/** The extension's client of the Storefront API. */
export type Query = (
  query: string,
  options: { variables: Record<string, unknown> },
) => Promise<{ data?: unknown }>;

const CONTEXT = "@inContext(country: $country, language: $language)";

const contextOf = ({ country, language }: Buyer) => {
  const [base = "", region] = language.split("-");
  // Shopify's list has few languages with a region. An unknown name would fail the whole query.
  return { country, language: (base === "pt" && region ? `${base}_${region}` : base).toUpperCase() };
};

/** An amount in hundredths; null if it is missing or in another currency. */
function priceOf(value: unknown, currency: string): number | null {
  const amount = Number(text(partOf(value, "amount")) ?? NaN);
  return partOf(value, "currencyCode") === currency && amount > 0 ? Math.round(amount * 100) : null;
}

/**
 * Null: nothing to offer.
 * @param plan gid of the plan product with the category's offers
 * @param variant gid of the variant in the cart
 * @throws if Shopify does not answer
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
 * The products of the offers, by the number of their variant. Products that the shop does not sell in this currency are
 * missing.
 * @param variants numbers of the offers' variants, at most those of one price band
 * @throws if Shopify does not answer
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

/** The offers whose plan costs what the offer says. A market's price list can change the plan's price. */
export function offersAtTheirPrice(
  offers: readonly Offer[],
  products: ReadonlyMap<string, PlanProduct>,
): Offer[] {
  return offers.filter(({ price, variant }) => products.get(variant)?.price === price);
}
