/** The touchpoints' preview: the extension's own Liquid with unsaved settings. */
import { expect, test } from "vitest";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { renderPreview } from "#app/offers/preview/preview.server.ts";
import { sampleCatalogue } from "#app/offers/preview/sample.ts";
import { productFormats, storefrontTouchpoints } from "#app/offers/storefront-choices.ts";
import { storefrontSettings } from "#app/offers/storefront-settings.ts";
import type { StorefrontSettings } from "#app/offers/storefront-settings.ts";

const product = {
  title: "Phone <b>X</b>",
  addToCart: "Add",
  afterClick: "After a click",
  withdrawalDays: 30,
  withdrawalPage: "https://app.example/withdrawals/lumo.myshopify.com",
  ...sampleCatalogue(null, "EUR", "Example headline"),
};
const preview = (
  settings: object,
  touchpoint: (typeof storefrontTouchpoints)[number] = "product_page",
  language = "fr",
) => renderPreview({ touchpoint, language, settings: storefrontSettings.parse(settings) }, product);

const format = (name: StorefrontSettings["touchpoints"]["product_page"]["format"]) => ({
  touchpoints: { product_page: { format: name } },
});
/** Terms in the box's order; the dialog shows them again. */
const months = (html: string) =>
  [...(html.split("<dialog")[0] ?? "").matchAll(/<span data-duration>(\d+) mois<\/span>/g)].map(([, count]) =>
    Number(count),
  );

test.each(storefrontTouchpoints)(
  "%s has the offers, the documents and the merchant's own words",
  (touchpoint) => {
    const html = preview({ texts: { fr: { headline: "Protégez <i>tout</i>" } } }, touchpoint);
    expect(months(html)).toEqual([12, 24, 36]);
    // The price, the consent text, and in the cart the button.
    expect(html).toMatch(/34,90 €[^]*en une fois, soit/);
    expect(html).toContain("vous confirmez avoir lu");
    expect(html.includes("Ajouter l’assurance")).toBe(touchpoint !== "product_page");
    expect(html).toMatch(/>IPID<\/a>/);
    expect(html).toContain("Protégez &lt;i&gt;tout&lt;/i&gt;");
    expect(html).not.toContain("<i>tout");
    expect(html).toContain("Phone &lt;b&gt;X&lt;/b&gt;");
  },
);

test.each(productFormats)("format %s is drawn by the extension's block, without its scripts", (name) => {
  const html = preview(format(name));
  expect(html).toContain("<parasol-offer");
  // A checkbox is for one term.
  expect(html).toMatch(/(?:19|34),90 €[^]*en une fois, soit/);
  expect(html).toContain("vous confirmez avoir lu");
  expect(html).toContain("Example headline");
  expect(html.includes(`parasol--${name}`)).toBe(name !== "modal");
  expect(html).not.toMatch(/<script (?!type="application\/(ld\+)?json")/);
});

test("the dialog is shown open below the box, in every format that has one", () => {
  const html = preview({ covers: { fr: { [categoryKey("")]: { bullets: ["Casse"] } } } });
  expect(html).toContain("dialog.parasol { display: block");
  expect(html.indexOf("Casse", html.indexOf("<dialog"))).toBeGreaterThan(0);
});

test("the section is below the product, as it is in a theme; what floats covers no button", () => {
  const after = (html: string, what: string) => html.indexOf("<parasol-offer") > html.indexOf(what);
  expect(after(preview(format("section")), product.addToCart + "</button>")).toBe(true);
  expect(after(preview(format("radio")), product.addToCart + "</button>")).toBe(false);
  expect(preview(format("floating"))).toContain("body:has(.parasol--floating) { padding-block-end");
});

test("terms come in the merchant's order", () => {
  expect(months(preview({ terms: [36, 12] }))).toEqual([36, 12, 24]);
});

test("shoppers of another language get no text of the insurer's, as in the shop", () => {
  const html = preview({}, "product_page", "en");
  expect(html).toContain("Insurance for this product");
  expect(html).not.toContain("Example headline");
});

test("a language that the extension does not speak gets its English", () => {
  expect(preview({}, "product_page", "da")).toContain("12 months");
});

test("the drawer is shown by its own switch, not by the cart page's", () => {
  const settings = { touchpoints: { cart: { on: false }, mini_cart: { on: true } } };
  expect(months(preview(settings, "mini_cart"))).toEqual([12, 24, 36]);
  expect(months(preview(settings, "cart"))).toEqual([]);
});
