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

/** What is sold, by price band; what is made for single products is left out. */
export function bandsOf(sold: readonly SoldReference[]): CompactContent["bands"] {
  const bands = new Map<string, CompactContent["bands"][number]>();
  for (const reference of sold) {
    if (reference.productReferenceIds.length > 0) continue;
    const { bandMinMinor: min, bandMaxMinor: max } = reference;
    const band = bands.get(`${min} ${max}`) ?? [min, max, []];
    band[2].push([
      reference.termMonths,
      reference.shopPriceMinor,
      reference.billing,
      reference.variantId,
      reference.referenceId,
    ]);
    bands.set(`${min} ${max}`, band);
  }
  for (const [, , offers] of bands.values())
    offers.sort((a, b) => a[0] - b[0] || a[1] - b[1] || (a[4] < b[4] ? -1 : 1));
  return [...bands.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
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
