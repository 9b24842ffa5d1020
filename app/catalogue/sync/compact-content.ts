/** Builds the compact catalogues that the storefront reads (compact-catalogue.ts) from what the shop sells. */
import { createHash } from "node:crypto";
import type { Category } from "#app/insurance/categories.ts";
import type { CompactCatalogue } from "./compact-catalogue.ts";
import { isLink } from "#app/catalogue/references/reference.ts";
import type { Reference } from "#app/catalogue/references/reference.ts";

/** The platform's limit of a json metafield (API 2026-04 and later), in bytes. */
export const MAX_BYTES = 131_072;

/** A reference as the shop sells it: at the shop's price, which a merchant may have changed and kept. */
export interface SoldReference extends Reference {
  /** the name of its formula; null where its category has one alone */
  formula: string | null;
  variantId: string;
  shopPriceMinor: number;
}

/** Everything but the version, which belongs to the write. */
export type CompactContent = Omit<CompactCatalogue, "v">;

/**
 * What the storefront needs of a category. Where offers differ by product, or the content would not fit into a
 * metafield, it holds no bands and is `live`: the app proxy responds then.
 */
export function compactContent(
  category: Category,
  sold: readonly SoldReference[],
  { currency, live }: { currency: string; live: boolean },
): CompactContent {
  const content = { ...frame(category), currency, live, bands: live ? [] : bandsOf(sold) };
  if (Buffer.byteLength(JSON.stringify(content)) <= MAX_BYTES - 32) return content;
  return { ...content, live: true, bands: [] };
}

/** Distinguishes two contents. */
export function digestOf(content: CompactContent): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

type Bands = CompactContent["bands"];
type Offer = Bands[number][2][number];

/**
 * What is sold, by price band, the formula that costs least first; what is made for single products is left out.
 * A price is in one band alone: where bands of formulas or terms overlap, they are cut at each other's ends.
 */
export function bandsOf(sold: readonly SoldReference[]): Bands {
  const general = sold.filter(({ productReferenceIds }) => productReferenceIds.length === 0);
  const formulas = [...new Set(general.toSorted(byPrice).map(({ formula }) => formula))];
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

function byPrice(a: SoldReference, b: SoldReference): number {
  return a.termMonths - b.termMonths || a.shopPriceMinor - b.shopPriceMinor;
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

function frame({ id, marketing: { buttons, modal, cart }, legal }: Category) {
  const link = (address: string) => (isLink(address) ? address : "");
  return {
    category: id,
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
