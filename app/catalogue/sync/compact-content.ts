/** Builds the compact catalogues that the storefront reads (compact-catalogue.ts) from what the shop sells. */
import { createHash } from "node:crypto";
import type { Category } from "#app/insurance/category.ts";
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

function frame({ id, marketing_data: { buttons, modal, cart }, legal_documents }: Category) {
  const link = (address: string) => (isLink(address) ? address : "");
  return {
    category: id,
    texts: {
      headline: buttons.headline,
      link: buttons.link_text,
      modal_headline: modal.headline,
      bullets_heading: modal.coverage_bullets_heading,
      bullets: modal.bullet_points,
      modal_link: modal.link_text,
      buy: modal.buy_text,
      decline: modal.decline_text,
      legal: modal.legal_text,
      image: link(modal.image),
      logo: link(modal.merchant_logo),
      page: link(modal.marketing_page_url),
      cart_button: cart.simple_offer_button_text,
    },
    cg: link(legal_documents.cg_url),
    ipid: link(legal_documents.ipid_url),
  };
}
