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

export interface Answer {
  currency: string;
  /** by variant id */
  offers: Record<string, Offer[]>;
  /** category key by variant id */
  products: Record<string, string>;
  categories: Record<string, AnsweredCategory>;
}

/** No answer is no offer: the shop must not notice that the app is away. */
export async function askApp(variants: string[]): Promise<Answer> {
  const response = await fetch(`${root}apps/parasol/offers?variants=${variants.slice(0, 50).join()}`).catch(
    () => null,
  );
  const { currency, products, categories }: Body = response?.ok
    ? ((await response.json()) as Body)
    : { currency: "", products: [], categories: {} };
  const answer: Answer = { currency, offers: {}, products: {}, categories };
  for (const { variant_id, category, offers } of products) {
    answer.offers[variant_id] = offers.map((each) => [
      each.term,
      each.price,
      each.billing,
      each.plan_variant_id,
      each.reference_id,
    ]);
    answer.products[variant_id] = category ?? "";
  }
  return answer;
}
