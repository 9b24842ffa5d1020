/** The page around a previewed touchpoint: a plain theme, without the scripts that a shop's page has. */
import { escapeHtml } from "#app/platform/customer-page.ts";
import type { StorefrontTouchpoint } from "../storefront-choices.ts";
import type { StorefrontSettings } from "../storefront-settings.ts";

interface Page {
  touchpoint: StorefrontTouchpoint;
  language: string;
  format: StorefrontSettings["touchpoints"]["product_page"]["format"];
  title: string;
  addToCart: string;
  /** HTML of the extension's block */
  offer: string;
}

const style = `
  body { margin: 0; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff }
  h1 { font-size: 1.25rem; margin: 0 0 .5rem }
  .button { font: inherit; padding: .75rem 1.25rem; border: 1px solid #1a1a1a; border-radius: 8px; color: #fff; background: #1a1a1a }
  .button--secondary { color: #1a1a1a; background: #fff }
  .cart { width: 100% }
  .drawer { max-width: 24rem; margin-inline-start: auto }
  /* The element's script, which does not run here, would show these two where they belong. */
  parasol-offer:not(:defined) :is(.parasol--floating, .parasol--sticky) { visibility: visible }
  /* The frame is as high as the page: what floats would lie on it. */
  body:has(.parasol--floating) { padding-block-end: 5rem }
  /* A script would open it: the cover, and in some formats prices and documents, are only there. */
  dialog.parasol { display: block; position: static; width: auto; max-height: none; margin-block: 1rem }
`;

export function previewPage({ touchpoint, language, format, title, addToCart, offer }: Page): string {
  // Nothing takes the focus in a picture of a page: browsers refuse it to a frame without scripts, and complain.
  const block = offer.replaceAll(/(<button[^>]*) autofocus/g, "$1");
  const heading = `<h1>${escapeHtml(title)}</h1>`;
  const button = `<button type="button" tabindex="-1" class="button">${escapeHtml(addToCart)}</button>`;
  // The section is made for a place of its own below the product.
  const [beside, below] = format === "section" ? ["", block] : [block, ""];
  const body =
    touchpoint === "product_page"
      ? `${heading}${beside}${button}${below}`
      : `<div class="${touchpoint === "cart" ? "cart" : "drawer"}">${heading}${block}</div>`;
  return `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head><body>${body}<style>${style}</style></body></html>`;
}
