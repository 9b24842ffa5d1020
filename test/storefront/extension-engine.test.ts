/** The stand-in renders an app's blocks as Shopify does, and fails if a template reads a missing value. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { storefront } from "#test/sandbox/shop/storefront/index.ts";
import { openTestShop, type TestShop } from "./shop.ts";

let shop: TestShop;
let folder: string;
beforeAll(async () => {
  shop = await openTestShop();
  folder = mkdtempSync(join(tmpdir(), "extension-"));
  for (const part of ["blocks", "snippets", "assets"]) mkdirSync(join(folder, part));
  cpSync(join(shop.sandbox.extensionDir ?? "", "locales"), join(folder, "locales"), { recursive: true });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await shop.close();
});

/** The product page with one block of this Liquid and schema on it, as a fresh storefront renders it. */
async function page(
  liquid: string,
  schema: object,
  path = "/products/lumo-x2",
): Promise<{ status: number; html: string }> {
  writeFileSync(
    join(folder, "blocks", "try.liquid"),
    `${liquid}\n{% schema %}${JSON.stringify({ name: "Try", ...schema })}{% endschema %}`,
  );
  const app = storefront({ ...shop.sandbox, extensionDir: folder });
  app.onError((error, c) => c.text(String(error), 500));
  const response = await app.request(path);
  return { status: response.status, html: await response.text() };
}
const section = { target: "section" };
const place = (handle: string | null, embeds: typeof shop.state.theme.embeds = {}) => {
  shop.state.theme.blocks = handle === null ? {} : { product: [{ id: "try", handle, settings: {} }] };
  shop.state.theme.embeds = embeds;
};

it("puts embeds at the end of the body, and only those that are on", async () => {
  place(null, { try: { on: true, settings: {} } });
  expect((await page("<i>tried</i>", { target: "body" })).html).toMatch(/<i>tried<\/i>\s*<\/div><\/body>/);
  place(null, { try: { on: false, settings: {} } });
  expect((await page("<i>tried</i>", { target: "body" })).html).not.toContain("tried");
});

it("gives a block its defaults, the page's product and its own attributes", async () => {
  place("try");
  const settings = [
    { type: "text", id: "word", label: "Word", default: "by default" },
    { type: "product", id: "product", label: "Product", autofill: true },
  ];
  const { html } = await page(
    "<p {{ block.shopify_attributes }}>{{ block.settings.word }}, {{ block.settings.product.title }}</p>",
    { ...section, settings },
  );
  expect(html).toContain("by default, Lumo X2");
  expect(html).toContain("data-shopify-editor-block=");
});

it("leaves a block out whose available_if is not true", async () => {
  place("try");
  const block = (key: string) =>
    page("<p>tried</p>", { ...section, available_if: `{{ app.metafields.touchpoints.${key} }}` });
  expect((await block("product_page")).html).toContain("tried");
  expect((await block("nothing")).html).not.toContain("tried");
});

it.each([
  ["an unknown filter", "{{ 'a' | no_such_filter }}"],
  ["an unknown tag", "{% no_such_tag %}"],
  ["a missing text", "{{ 'no.such.text' | t }}"],
  ["a missing snippet", "{% render 'no-such-snippet' %}"],
])("fails loudly for %s", async (_name, liquid) => {
  place("try");
  expect((await page(liquid, section)).status).toBe(500);
});

it("writes JSON that cannot end a script, and texts that cannot become HTML", async () => {
  place("try");
  const { html } = await page(
    `{{ "</script><b>&" | json }} {{ 'offer.insured_by' | t: insurer: "<i>" }} {{ "<b>" | escape }}`,
    section,
  );
  expect(html).toContain('"\\u003c/script\\u003e\\u003cb\\u003e\\u0026"');
  expect(html).toContain("Assuré par &lt;i&gt;");
  expect(html).toContain("&lt;b&gt;");
});
