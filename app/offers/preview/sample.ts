/** The compact catalogue of a preview. */
import {
  bandsOf,
  compactContent,
  type CompactContent,
  compactFormulas,
  type SoldReference,
} from "#app/catalogue/sync/compact-catalogue.ts";
import type { Category } from "#app/insurance/categories.ts";
import type { Offer } from "../../../extensions/catalogue.ts";

export interface PreviewSample {
  category: Category;
  /** the other categories of its universe */
  others: Category[];
  /** price of a product with these offers, in minor units */
  priceMinor: number;
  offers: SoldReference[];
}

const EXAMPLE_PRICE = 49_900;
const example = { billing: "annually", variant: "0", reference: "" } as const;
const exampleOffers: Offer[] = [
  { ...example, term: 12, price: 1_990 },
  { ...example, term: 24, price: 3_490 },
  { ...example, term: 36, price: 4_990 },
];

/**
 * The catalogue that the sync would write for the sample, and a product's price. Without a sample it is an example.
 */
export function sampleCatalogue(
  sample: PreviewSample | null,
  currency: string,
  exampleHeadline: string,
): { catalogue: CompactContent; priceMinor: number } {
  if (sample && sample.offers.length > 0) {
    const { category, others, offers, priceMinor } = sample;
    const frame = compactContent(category, [], { currency, live: false });
    const formulas = compactFormulas([category, ...others], offers);
    return { catalogue: { ...frame, bands: bandsOf(offers), formulas }, priceMinor };
  }
  return { catalogue: exampleCatalogue(currency, exampleHeadline), priceMinor: EXAMPLE_PRICE };
}

function exampleCatalogue(currency: string, headline: string): CompactContent {
  return {
    category: "",
    currency,
    live: false,
    bands: [{ min: 0, max: EXAMPLE_PRICE, offers: exampleOffers }],
    texts: {
      headline,
      link: "",
      modal_headline: "",
      bullets_heading: "",
      bullets: [],
      modal_link: "",
      buy: "",
      decline: "",
      legal: "",
      image: "",
      logo: "",
      page: "",
      cart_button: "",
    },
    // The storefront shows no offer without its documents.
    cg: "https://example.com/",
    ipid: "https://example.com/",
  };
}
