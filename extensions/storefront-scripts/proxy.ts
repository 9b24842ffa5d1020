/** The app proxy's response for products whose offers are not in the page: docs/storefront.md, "The app proxy". */
import type { Offer } from "./offers.ts";
import { root } from "./root.ts";

interface OffersResponse {
  currency: string;
  products: {
    variant_id: string;
    category: string | null;
    offers: {
      term: number;
      price: number;
      billing: Offer[2];
      plan_variant_id: string;
      reference_id: string;
    }[];
  }[];
  categories: Record<string, CategoryTexts>;
}

interface CategoryTexts {
  cg: string;
  ipid: string;
  texts: { headline: string; legal: string; cart_button: string };
}

/** No response means no offers: the shop must work without the app. */
export async function fetchOffers(variants: string[]): Promise<OffersResponse> {
  const response = await fetch(`${root}apps/parasol/offers?variants=${variants.join()}`).catch(() => null);
  return response?.ok
    ? ((await response.json()) as OffersResponse)
    : { currency: "", products: [], categories: {} };
}

/** The offers for a variant, in the shape of the embedded ones; none where the response is in another currency. */
export function offersInResponse(
  { currency, products }: OffersResponse,
  variant: string,
  wanted: string,
): Offer[] {
  const found = currency === wanted ? products.find(({ variant_id }) => variant_id === variant) : undefined;
  return (
    found?.offers.map((each) => [
      each.term,
      each.price,
      each.billing,
      each.plan_variant_id,
      each.reference_id,
    ]) ?? []
  );
}
