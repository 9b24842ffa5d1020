/** The app's answer for products whose offers are not in the page: docs/storefront.md, "The proxy's answer". */
import type { Offer } from "./offers.ts";

interface Answer {
  currency: string;
  /** by variant id */
  offers: Record<string, Offer[]>;
}

interface Body {
  currency: string;
  products: {
    variant_id: string;
    offers: {
      term: number;
      price: number;
      billing: Offer[2];
      plan_variant_id: string;
      reference_id: string;
    }[];
  }[];
}

/** No answer is no offer: the shop must not notice that the app is away. */
export async function readAnswer(asked: Promise<Response>): Promise<Answer> {
  const response = await asked.catch(() => null);
  const body: Body = response?.ok ? ((await response.json()) as Body) : { currency: "", products: [] };
  return {
    currency: body.currency,
    offers: Object.fromEntries(
      body.products.map(({ variant_id, offers }) => [
        variant_id,
        offers.map((offer): Offer => [
          offer.term,
          offer.price,
          offer.billing,
          offer.plan_variant_id,
          offer.reference_id,
        ]),
      ]),
    ),
  };
}
