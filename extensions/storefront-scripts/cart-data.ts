/** The data that the cart's page has in itself (snippets/parasol-cart.liquid). */
import type { Item } from "./cart-api.ts";
import type { ShownBand } from "./shown-offer.ts";

/** The JSON that snippets/parasol-cart.liquid embeds. */
export interface Data {
  lines: Item[];
  /** category key by variant id, of the products this page knows; empty where the product has none */
  products: Record<string, string>;
  categories: Record<string, Category>;
  currency: string;
  /** the merchant's order of terms */
  order: number[];
  consent: string;
  touchpoint: string;
  /**
   * Shown instead of the insurer's texts: the merchant's, or Parasol's where the insurer's are in another language; or "".
   * `covers`: by category key; `cover`: of the others, null where it is the insurer's
   */
  texts: {
    headline: string;
    covers: Record<string, string>;
    cover: string | null;
    legal: string;
    button: string;
  };
  /** the shop sells no insurance now, or none to this customer */
  stopped?: boolean;
}

export interface Category {
  live: boolean;
  /** missing where the app proxy has described the category */
  bands?: ShownBand[];
  headline: string;
  /** what is covered, in one line */
  cover: string;
  legal: string;
  button: string;
  /** of each formula that has its own; one without a name where there is one alone */
  documents: Documents[];
}

/** Links to the information document and the general conditions. */
export interface Documents {
  name: string;
  ipid: string;
  cg: string;
}
