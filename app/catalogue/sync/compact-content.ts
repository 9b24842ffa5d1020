/** Builds the compact catalogues that the storefront reads (compact-catalogue.ts) from what the shop sells. */
import { createHash } from "node:crypto";
import type { Category } from "#app/insurance/categories.ts";
import { categoryKey, type CompactCatalogue, coverKey } from "./compact-catalogue.ts";
import { namesInUniverse } from "#app/catalogue/references/formula.ts";
import { isLink } from "#app/catalogue/references/reference.ts";
import type { Reference } from "#app/catalogue/references/reference.ts";

/** The platform's limit of a json metafield (API 2026-04 and later), in bytes. */
export const MAX_BYTES = 131_072;

/** A reference as the shop sells it: at the shop's price, which a merchant may have changed and kept. */
export interface SoldReference extends Reference {
  /** the name of its formula; null where its category has one alone */
  formula: string | null;
  /** of its category in a universe of several, in the merchant's order */
  place?: number;
  /** where `formula` is its name in a universe, the key of its cover (coverKeyOf) */
  coverKey?: string;
  variantId: string;
  shopPriceMinor: number;
}

/** Everything but the version, which belongs to the write. */
export type CompactContent = Omit<CompactCatalogue, "v">;

/** What the shop sells of one category. */
export interface SoldCategory {
  category: Category;
  sold: readonly SoldReference[];
}

/**
 * What the storefront needs of a category. Where offers differ by product, or the content would not fit into a
 * metafield, it holds no bands and is `live`: the app proxy responds then.
 * @param others further categories of its universe, which are formulas beside it
 */
export function compactContent(
  category: Category,
  sold: readonly SoldReference[],
  { currency, live, others = [] }: { currency: string; live: boolean; others?: readonly SoldCategory[] },
): CompactContent {
  const universe = [{ category, sold }, ...others];
  const offered = others.length > 0 ? inUniverse(universe) : sold;
  const formulas = compactFormulas(
    universe.map((each) => each.category),
    offered,
  );
  // What is the same for all formulas comes from the first that is sold: a category without documents sells nothing.
  const [first] = universe.filter((each) => each.sold.length > 0);
  const content = {
    ...frame(first?.category ?? category),
    category: category.id,
    ...(formulas.length > 0 ? { formulas } : {}),
    currency,
    live,
    bands: live ? [] : bandsOf(offered),
  };
  if (Buffer.byteLength(JSON.stringify(content)) <= MAX_BYTES - 32) return content;
  return { ...content, live: true, bands: [] };
}

/** What a universe sells, in the merchant's order of categories, each named as a formula. */
export function inUniverse(
  universe: readonly { category: Pick<Category, "id">; sold: readonly SoldReference[] }[],
): SoldReference[] {
  const names = namesInUniverse(universe.map(({ category }) => category.id));
  return universe.flatMap(({ category: { id }, sold }, place) =>
    sold.map((reference) => ({
      ...reference,
      place,
      coverKey: coverKeyOf(reference),
      formula: [names.get(id), reference.formula].filter((name) => name != null).join(" · "),
    })),
  );
}

/** The key of what a reference covers: of its category, or of its formula in there. */
export const coverKeyOf = ({ categoryId, formula, coverKey: key }: SoldReference): string =>
  key ?? coverKey(categoryId, formula);

/** Each formula with what its category says of it; those that sell nothing are none, nor is the only one without a name. */
export function compactFormulas(
  categories: readonly Category[],
  offered: readonly SoldReference[],
): NonNullable<CompactContent["formulas"]> {
  const byName = new Map(offered.toSorted(byPlaceAndPrice).map((sold) => [sold.formula, sold]));
  return [...byName].flatMap(([name, sold]) => {
    const category = categories.find(({ id }) => id === sold.categoryId);
    if (name === null || !category) return [];
    const { texts, cg, ipid } = frame(category);
    const [key, own] = [coverKeyOf(sold), categoryKey(category.id)];
    const formula = [name, texts.bullets, cg, ipid, key] as const;
    return [key === own ? [...formula] : [...formula, own]];
  });
}

/** Distinguishes two contents. */
export function digestOf(content: CompactContent): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

type Bands = CompactContent["bands"];
type Offer = Bands[number][2][number];

/**
 * What is sold, by price band, in a universe's order and the formula that costs least first; what is made for single
 * products is left out.
 * A price is in one band alone: where bands of formulas or terms overlap, they are cut at each other's ends.
 */
export function bandsOf(sold: readonly SoldReference[]): Bands {
  const general = sold.filter(({ productReferenceIds }) => productReferenceIds.length === 0);
  const formulas = [...new Set(general.toSorted(byPlaceAndPrice).map(({ formula }) => formula))];
  const byBand = Map.groupBy(general, ({ bandMinMinor, bandMaxMinor }) => `${bandMinMinor} ${bandMaxMinor}`);
  const groups = [...byBand.values()].flatMap((members): Group[] => {
    const [first] = members;
    return first ? [{ min: first.bandMinMinor, max: first.bandMaxMinor, members }] : [];
  });
  groups.sort((a, b) => a.min - b.min || a.max - b.max);
  return disjoint(groups).map(({ min, max, members }) => {
    const ordered = members.toSorted(
      (a, b) =>
        formulas.indexOf(a.formula) - formulas.indexOf(b.formula) ||
        a.termMonths - b.termMonths ||
        a.shopPriceMinor - b.shopPriceMinor ||
        (a.referenceId < b.referenceId ? -1 : 1),
    );
    return [min, max, ordered.map(compactOffer)];
  });
}

interface Group {
  min: number;
  max: number;
  members: SoldReference[];
}

/** @param groups sorted by their lower ends */
function disjoint(groups: readonly Group[]): Group[] {
  const overlap = groups.some(({ min }, index) => min <= (groups[index - 1]?.max ?? -1));
  if (!overlap) return [...groups];
  const starts = [...new Set(groups.flatMap(({ min, max }) => [min, max + 1]))].sort((a, b) => a - b);
  return starts.flatMap((min, index): Group[] => {
    const max = (starts[index + 1] ?? min) - 1;
    const members = groups
      .filter((group) => group.min <= min && max <= group.max)
      .flatMap((group) => group.members);
    return max < min || members.length === 0 ? [] : [{ min, max, members }];
  });
}

function byPlaceAndPrice(a: SoldReference, b: SoldReference): number {
  return (
    (a.place ?? 0) - (b.place ?? 0) || a.termMonths - b.termMonths || a.shopPriceMinor - b.shopPriceMinor
  );
}

function compactOffer({
  termMonths,
  shopPriceMinor,
  billing,
  variantId,
  referenceId,
  formula,
}: SoldReference): Offer {
  const offer = [termMonths, shopPriceMinor, billing, variantId, referenceId] as const;
  return formula === null ? [...offer] : [...offer, formula];
}

function frame({ marketing: { buttons, modal, cart }, legal }: Category) {
  const link = (address: string) => (isLink(address) ? address : "");
  return {
    texts: {
      headline: buttons.headline,
      link: buttons.linkText,
      modal_headline: modal.headline,
      bullets_heading: modal.bulletsHeading,
      bullets: modal.bulletPoints,
      modal_link: modal.linkText,
      buy: modal.buyText,
      decline: modal.declineText,
      legal: modal.legalText,
      image: link(modal.imageUrl),
      logo: link(modal.merchantLogoUrl),
      page: link(modal.marketingPageUrl),
      cart_button: cart.buttonText,
    },
    cg: link(legal.conditionsUrl),
    ipid: link(legal.ipidUrl),
  };
}
