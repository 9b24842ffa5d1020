/**
 * The app proxy's response for products whose offers are not in the page: docs/storefront.md, "The app proxy". It is an
 * asset of its own, because most pages never need it.
 */
import type { Data, Documents } from "./cart-data.ts";
import type { ShownOffer } from "./shown-offer.ts";
import { root } from "./root.ts";

interface OffersResponse {
  currency?: string;
  products: {
    variant_id: string;
    category: string | null;
    offers: {
      term: number;
      price: number;
      billing: ShownOffer["billing"];
      plan_variant_id: string;
      reference_id: string;
      formula: string | null;
      formula_name: string | null;
    }[];
  }[];
  categories: Record<string, CategoryTexts>;
}

interface CategoryTexts {
  documents: Documents[];
  texts: { headline: string; cover: string; legal: string; cart_button: string };
}

/** The path in shopify.app.toml. */
const PROXY_PATH = "/apps/parasol";

/** A failed request means no offers: the shop must work without the app. */
async function fetchOffers(variants: string[]): Promise<OffersResponse> {
  const query = `variants=${variants.join()}&language=${document.documentElement.lang}`;
  const response = await fetch(`${root.slice(0, -1)}${PROXY_PATH}/offers?${query}`).catch(() => null);
  return response?.ok ? ((await response.json()) as OffersResponse) : { products: [], categories: {} };
}

/** The offers for a variant, in the shape of the embedded ones; empty if the response is in another currency. */
function offersInResponse(
  { currency, products }: OffersResponse,
  variant: string,
  wanted: string,
): ShownOffer[] {
  const found = products.find(({ variant_id }) => currency === wanted && variant_id === variant);
  return (found?.offers ?? []).map(({ term, price, billing, formula, ...offer }) => ({
    term,
    price,
    billing,
    variant: offer.plan_variant_id,
    reference: offer.reference_id,
    formula: formula ?? undefined,
    formulaName: offer.formula_name ?? undefined,
  }));
}

/** The offers of one variant; empty without a response. */
export async function fetchVariant(
  { currency }: { currency: string },
  variant: string,
): Promise<ShownOffer[]> {
  return offersInResponse(await fetchOffers([variant]), variant, currency);
}

/** Adds the offers and category texts of variants that the cart's page does not know. */
export async function fetchInto(
  { products, categories, currency, texts: own }: Data,
  fetched: Record<string, ShownOffer[]>,
  variants: string[],
): Promise<void> {
  const response = await fetchOffers(variants);
  for (const variant of variants) fetched[variant] = offersInResponse(response, variant, currency);
  for (const each of response.products) products[each.variant_id] ??= each.category ?? "";
  for (const [key, { documents, texts }] of Object.entries(response.categories))
    if (documents.every(({ cg, ipid }) => /^https:/.test(cg) && /^https:/.test(ipid)))
      categories[key] ??= {
        live: true,
        headline: own.headline || texts.headline,
        cover: own.covers[key] ?? own.cover ?? texts.cover,
        legal: own.legal || texts.legal,
        button: own.button || texts.cart_button,
        documents,
      };
}
