/** The app's answer for products whose offers are not in the page: docs/storefront.md, "The proxy's answer". */
import type { Offer } from "./offers.ts";
import { root } from "./root.ts";

interface Body {
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
  categories: Record<string, AnsweredCategory>;
}

interface AnsweredCategory {
  cg: string;
  ipid: string;
  texts: { headline: string; legal: string; cart_button: string };
}

/** No answer is no offer: the shop must not notice that the app is away. */
export async function askApp(variants: string[]): Promise<Body> {
  const response = await fetch(`${root}apps/parasol/offers?variants=${variants.join()}`).catch(() => null);
  return response?.ok ? ((await response.json()) as Body) : { currency: "", products: [], categories: {} };
}

/** The offers for a variant, in the shape of the embedded ones; none where the answer is in another currency. */
export function answeredOffers({ currency, products }: Body, variant: string, wanted: string): Offer[] {
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
