/**
 * Previews the storefront's touchpoints with unsaved settings. It renders the theme extension's own Liquid with the
 * objects that Shopify would provide.
 */
import { join } from "node:path";
import { z } from "zod";
import { categoryKey, type CompactContent } from "#app/catalogue/sync/compact-catalogue.ts";
import { storefrontTouchpoints } from "#app/offers/storefront-choices.ts";
import type { StorefrontTouchpoint } from "#app/offers/storefront-choices.ts";
import { storefrontSettings } from "#app/offers/storefront-settings.ts";
import type { StorefrontSettings } from "#app/offers/storefront-settings.ts";
import { LiquidEngine } from "./liquid-engine.server.ts";
import { escapeHtml } from "#app/platform/escape-html.ts";

export const previewRequest = z.object({
  touchpoint: z.enum(storefrontTouchpoints),
  /** language of the storefront: `fr` */
  language: z.string().regex(/^[a-zA-Z-]{2,8}$/),
  settings: storefrontSettings,
});
export type PreviewRequest = z.infer<typeof previewRequest>;

/** The product in the preview. */
export interface PreviewProduct {
  title: string;
  addToCart: string;
  /** above the window, which opens after a click */
  afterClick: string;
  priceMinor: number;
  catalogue: CompactContent;
  /** the merchant's setting and the page to withdraw, which every offer mentions */
  withdrawalDays: number;
  withdrawalPage: string;
}

let engine: LiquidEngine | undefined;

/** An HTML page with the touchpoint, without the extension's scripts: a preview cannot sell anything. */
export function renderPreview(
  { touchpoint, language, settings }: PreviewRequest,
  product: PreviewProduct,
): string {
  engine ??= new LiquidEngine(join("extensions", "parasol-storefront"), "");
  const block = { id: touchpoint, settings: { format: "admin" } };
  const shown = touchpoint === "mini_cart" ? asCart(settings) : settings;
  const file = touchpoint === "product_page" ? "product-offer" : "cart-offers";
  const offer = engine.render(`blocks/${file}.liquid`, { block }, globals(shown, language, product));
  return previewPage({
    touchpoint,
    language,
    format: settings.touchpoints.product_page.format,
    title: product.title,
    addToCart: product.addToCart,
    afterClick: product.afterClick,
    // Without scripts everything is unfolded, and nothing takes the keyboard focus.
    offer: offer
      .replace(/<script type="module"[^>]*><\/script>/g, "")
      // The preview's frame runs no script, and reports those that it is given.
      .replaceAll(/ onerror="[^"]*"/g, "")
      .replaceAll("<details>", "<details open>")
      .replace(/<(a|button|summary)\b/g, '<$1 tabindex="-1"'),
  });
}

/** The script draws the drawer's rows like those of the cart page. */
function asCart(settings: StorefrontSettings): StorefrontSettings {
  const { touchpoints } = settings;
  return { ...settings, touchpoints: { ...touchpoints, cart: touchpoints.mini_cart } };
}

function globals(settings: StorefrontSettings, language: string, sample: PreviewProduct) {
  const { catalogue, priceMinor, title, withdrawalDays, withdrawalPage } = sample;
  const withdrawal = { withdrawal_days: withdrawalDays, withdrawal_page: withdrawalPage };
  const key = categoryKey(catalogue.category);
  const variant = { id: 1, price: priceMinor, available: true };
  const product = {
    id: 1,
    title,
    "gift_card?": false,
    available: true,
    variants: [variant],
    selected_or_first_available_variant: variant,
    metafields: { $app: { insurance_category: { value: key } } },
  };
  const item = {
    key: "preview",
    title,
    product,
    variant_id: variant.id,
    quantity: 1,
    original_price: priceMinor,
    gift_card: false,
    properties: {},
  };
  return {
    app: {
      metafields: {
        settings: { storefront: { value: { ...settings, ...withdrawal } } },
        catalogue: { [key]: { value: catalogue } },
      },
    },
    request: { locale: { iso_code: language }, design_mode: false },
    theme: { role: "main" },
    cart: { currency: { iso_code: catalogue.currency }, items: [item] },
    product,
  };
}

// The page around a previewed touchpoint: a plain theme without scripts.

interface Page {
  touchpoint: StorefrontTouchpoint;
  language: string;
  format: StorefrontSettings["touchpoints"]["product_page"]["format"];
  title: string;
  addToCart: string;
  afterClick: string;
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
  /* The element's script would show these two, but does not run here. */
  parasol-offer:not(:defined) :is(.parasol--floating, .parasol--sticky) { visibility: visible }
  /* The frame is as high as the page, so a floating element would cover the content. */
  body:has(.parasol--floating) { padding-block-end: 5rem }
  /* A script would open this dialog, which alone contains the coverage and in some formats prices and documents. */
  dialog.parasol { display: block; position: static; width: auto; max-height: none; margin-block: 1rem }
`;

export function previewPage({
  touchpoint,
  language,
  format,
  title,
  addToCart,
  afterClick,
  offer,
}: Page): string {
  // Browsers refuse autofocus in a frame without scripts and log a warning.
  const block = offer
    .replaceAll(/(<button[^>]*) autofocus/g, "$1")
    .replace("<dialog", () => `<p><small>${escapeHtml(afterClick)}</small></p><dialog`);
  const heading = `<h1>${escapeHtml(title)}</h1>`;
  const button = `<button type="button" tabindex="-1" class="button">${escapeHtml(addToCart)}</button>`;
  // The section belongs below the product.
  const [beside, below] = format === "section" ? ["", block] : [block, ""];
  const body =
    touchpoint === "product_page"
      ? `${heading}${beside}${button}${below}`
      : `<div class="${touchpoint === "cart" ? "cart" : "drawer"}">${heading}${block}</div>`;
  return `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head><body>${body}<style>${style}</style></body></html>`;
}
