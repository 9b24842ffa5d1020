/** Links to the theme editor that place the theme extension's blocks. */
import type { StorefrontTouchpoint } from "./storefront-choices.ts";

/** The block of the theme extension for each touchpoint, and the link parameters that place it. */
export const blocks = {
  product_page: { handle: "product-offer", add: "block", template: "product" },
  cart: { handle: "cart-offers", add: "block", template: "cart" },
  mini_cart: { handle: "cart-drawer", add: "embed", template: "index" },
} as const satisfies Record<
  StorefrontTouchpoint,
  { handle: string; add: "block" | "embed"; template: string }
>;

/**
 * The URL of the theme editor that places a touchpoint's block (shopify.dev, "deep linking"). `mainSection` is the
 * section with the id `main` in every product template. The name of a cart's section depends on the theme
 * (`toCartSection`); without it, the editor adds an apps section, which every template accepts.
 */
export function editorLink(shop: string, apiKey: string, touchpoint: StorefrontTouchpoint): string {
  const { handle, add, template } = blocks[touchpoint];
  const query = new URLSearchParams(
    add === "embed"
      ? { context: "apps", activateAppId: `${apiKey}/${handle}` }
      : {
          template,
          addAppBlockId: `${apiKey}/${handle}`,
          target: template === "cart" ? "newAppsSection" : "mainSection",
        },
  );
  return `https://${shop}/admin/themes/current/editor?${query}`;
}

/** The block with the link to the page where customers withdraw from their insurance. */
export const WITHDRAWAL_BLOCK = "withdrawal-link";

/** The URL of the theme editor that places this block in the footer of every page. */
export function withdrawalEditorLink(shop: string, apiKey: string): string {
  const query = new URLSearchParams({
    template: "index",
    addAppBlockId: `${apiKey}/${WITHDRAWAL_BLOCK}`,
    target: "sectionGroup:footer",
  });
  return `https://${shop}/admin/themes/current/editor?${query}`;
}

/** The link that places a cart's block, after the theme has been read. Other links stay unchanged. */
export function toCartSection(link: string, section: string | null | undefined): string {
  const address = new URL(link);
  if (!section || address.searchParams.get("template") !== "cart") return link;
  address.searchParams.set("target", `sectionId:${section}`);
  return address.href;
}

/** The URL of the checkout and accounts editor with this app's blocks, on one of its pages. */
export function checkoutEditorLink(
  shop: string,
  apiKey: string,
  page: "checkout" | "thank-you" | "order-status" | "profile",
): string {
  const query = new URLSearchParams({ page, context: "apps", app: apiKey });
  return `https://${shop}/admin/settings/checkout/editor?${query}`;
}
