/**
 * The compact catalogue of one category, in an app-data metafield (`app.metafields.catalogue[<category key>]`) that
 * the theme extension's Liquid reads. Its offers, bands and formulas have the shape of extensions/catalogue.ts.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { namesInUniverse } from "#app/catalogue/references/formula.ts";
import { type Reference } from "#app/catalogue/references/reference.ts";
import { isLink } from "#app/platform/web-address.ts";
import type { Category } from "#app/insurance/categories.ts";
import type { Band, Closed, Formula, Offer } from "../../../extensions/catalogue.ts";

const offer: z.ZodType<Offer> = z.object({
  term: z.number().int().positive(),
  price: z.number().int().nonnegative(),
  billing: z.enum(["monthly", "annually"]),
  variant: z.string().regex(/^\d+$/),
  reference: z.string(),
  formula: z.string().exactOptional(),
});

const band: z.ZodType<Band> = z.object({
  min: z.number().int(),
  max: z.number().int(),
  offers: z.array(offer),
});

const formula: z.ZodType<Formula> = z.object({
  name: z.string(),
  bullets: z.array(z.string()),
  cg: z.string(),
  ipid: z.string(),
  key: z.string(),
  category: z.string().exactOptional(),
});

const closed: z.ZodType<Closed> = z.object({ markets: z.array(z.string()), companies: z.boolean() });

export const compactCatalogue = z.object({
  /** Version of the write: it grows with every change and is the same in all categories of one write. */
  v: z.number().int().positive(),
  /** The name of the insurer’s category. */
  category: z.string(),
  currency: z.string().length(3),
  /** True if offers differ by product reference: the storefront then shows only the proxy's live offers. */
  live: z.boolean(),
  /** sorted by price, without overlaps */
  bands: z.array(band),
  /** Marketing texts of the category: plain text, never HTML. */
  texts: z.object({
    headline: z.string(),
    link: z.string(),
    modal_headline: z.string(),
    bullets_heading: z.string(),
    bullets: z.array(z.string()),
    modal_link: z.string(),
    buy: z.string(),
    decline: z.string(),
    legal: z.string(),
    image: z.string(),
    logo: z.string(),
    page: z.string(),
    cart_button: z.string(),
  }),
  /** https links of the legal documents. */
  cg: z.string(),
  ipid: z.string(),
  /** in the merchant's order; missing if all offers have the same guarantees */
  formulas: z.array(formula).exactOptional(),
  /** missing if its plans can be bought in every market and by every company */
  closed: closed.exactOptional(),
});
export type CompactCatalogue = z.infer<typeof compactCatalogue>;

/**
 * The metafield key of a category. The category id is a free name, and a metafield key has 3 to 64 characters of
 * `[a-z0-9_-]`. The key is a readable slug with a short digest that makes it unique.
 */
export function categoryKey(categoryId: string): string {
  const slug = categoryId
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 40);
  return `${slug || "category"}_${createHash("sha256").update(categoryId).digest("hex").slice(0, 8)}`;
}

/**
 * The key of a merchant's texts about a formula (`covers` in app/offers/storefront-settings.ts): its category's key,
 * or a key of its own if the category has several formulas. It contains the insurer's name of the formula, because a
 * renamed formula may cover something else.
 */
export const coverKey = (categoryId: string, formula: string | null): string =>
  categoryKey(formula === null ? categoryId : `${categoryId} · ${formula}`);

// Builds the compact catalogues from the sold references.

/** Shopify's limit of a json metafield (API 2026-04 and later), in bytes. */
export const MAX_BYTES = 131_072;

/** A reference in the shop, at the shop's price, which the merchant may have changed. */
export interface SoldReference extends Reference {
  /** the formula name; null if its category has only one formula */
  formula: string | null;
  /** the position of its category in a universe of several, in the merchant's order */
  place?: number;
  /** the coverage key if `formula` is a name within a universe (coverKeyOf) */
  coverKey?: string;
  variantId: string;
  shopPriceMinor: number;
}

/** Everything except the version, which belongs to the write. */
export type CompactContent = Omit<CompactCatalogue, "v">;

/** The sold references of one category. */
export interface SoldCategory {
  category: Category;
  sold: readonly SoldReference[];
}

/**
 * The storefront's data of a category. If offers differ by product, or the content exceeds a metafield, it has no
 * bands and is `live`: the storefront then requests the app proxy.
 * @param others further categories of its universe, which are formulas beside it
 * @param closed where plans of the universe cannot be bought
 */
export function compactContent(
  category: Category,
  sold: readonly SoldReference[],
  {
    currency,
    live,
    others = [],
    closed = [],
  }: { currency: string; live: boolean; others?: readonly SoldCategory[]; closed?: readonly Closed[] },
): CompactContent {
  const universe = [{ category, sold }, ...others];
  const offered = others.length > 0 ? inUniverse(universe) : sold;
  const formulas = compactFormulas(
    universe.map((each) => each.category),
    offered,
  );
  // The common fields come from the first category that sells something: one without documents sells nothing.
  const [first] = universe.filter((each) => each.sold.length > 0);
  const content = {
    ...frame(first?.category ?? category),
    category: category.id,
    ...(formulas.length > 0 ? { formulas } : {}),
    ...closedField(closed),
    currency,
    live,
    bands: live ? [] : bandsOf(offered),
  };
  if (Buffer.byteLength(JSON.stringify(content)) <= MAX_BYTES - 32) return content;
  return { ...content, live: true, bands: [] };
}

function closedField(closed: readonly Closed[]): Pick<CompactCatalogue, "closed"> {
  const markets = [...new Set(closed.flatMap((each) => each.markets))].toSorted();
  const companies = closed.some((each) => each.companies);
  return markets.length > 0 || companies ? { closed: { markets, companies } } : {};
}

/** The sold references of a universe, in the merchant's order of categories, each with a formula name. */
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

/** The coverage key of a reference: of its category, or of its formula in that category. */
export const coverKeyOf = ({ categoryId, formula, coverKey: key }: SoldReference): string =>
  key ?? coverKey(categoryId, formula);

/**
 * Each formula with the texts of its category. A formula that sells nothing is skipped, and so is a single formula
 * without a name.
 */
export function compactFormulas(
  categories: readonly Category[],
  offered: readonly SoldReference[],
): Formula[] {
  const byName = new Map(offered.toSorted(byPlaceAndPrice).map((sold) => [sold.formula, sold]));
  return [...byName].flatMap(([name, sold]): Formula[] => {
    const category = categories.find(({ id }) => id === sold.categoryId);
    if (name === null || !category) return [];
    const { texts, cg, ipid } = frame(category);
    const [key, keyOfCategory] = [coverKeyOf(sold), categoryKey(category.id)];
    const { bullets } = texts;
    return [{ name, bullets, cg, ipid, key, ...(key === keyOfCategory ? {} : { category: keyOfCategory }) }];
  });
}

/** A hash that identifies the content. */
export function digestOf(content: CompactContent): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

/**
 * The sold references by price band, in the universe's order and the cheapest formula first. Offers for single
 * products are skipped. A price is in one band only: overlapping bands are split at each other's ends.
 */
export function bandsOf(sold: readonly SoldReference[]): Band[] {
  const general = withoutSharedEnds(
    sold.filter(({ productReferenceIds }) => productReferenceIds.length === 0),
  );
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
    return { min, max, offers: ordered.map(toOffer) };
  });
}

/**
 * Leaves at most one plan for a formula, term and billing at each price. The price at which one band ends and the
 * next begins belongs to the lower band.
 * @param general references of one universe that are for all products
 */
export function withoutSharedEnds(general: readonly SoldReference[]): SoldReference[] {
  const end = ({ categoryId, formula, termMonths, billing }: SoldReference, price: number) =>
    JSON.stringify([categoryId, formula, termMonths, billing, price]);
  const ends = new Set(general.map((sold) => end(sold, sold.bandMaxMinor)));
  return general.map((sold) => {
    const { bandMinMinor, bandMaxMinor } = sold;
    const isShared = bandMinMinor < bandMaxMinor && ends.has(end(sold, bandMinMinor));
    return isShared ? { ...sold, bandMinMinor: bandMinMinor + 1 } : sold;
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

function toOffer(sold: SoldReference): Offer {
  return {
    term: sold.termMonths,
    price: sold.shopPriceMinor,
    billing: sold.billing,
    variant: sold.variantId,
    reference: sold.referenceId,
    ...(sold.formula === null ? {} : { formula: sold.formula }),
  };
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
