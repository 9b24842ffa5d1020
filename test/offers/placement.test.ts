import { describe, expect, it } from "vitest";
import { editorLink, toCartSection } from "#app/offers/editor-links.ts";
import { placementIn, templatesIn } from "#app/offers/placement.ts";

const offer = "shopify://apps/parasol/blocks/product-offer/1f";
const cartOffers = "shopify://apps/parasol/blocks/cart-offers/2f";
const drawer = "shopify://apps/parasol/blocks/cart-drawer/3f";
const file = (filename: string, content: unknown) => ({
  filename,
  content: typeof content === "string" ? content : JSON.stringify(content),
});
const withBlock = (block: unknown) => ({
  sections: { main: { type: "main-product", blocks: { one: block } } },
});
const placed = (...files: ReturnType<typeof file>[]) => placementIn("Dawn", "parasol", files).placed;

describe("where the published theme shows offers", () => {
  it("is each touchpoint's own block in the files of its own kind", () => {
    const files = [
      file("templates/product.json", withBlock({ type: offer })),
      file("templates/product.gift.json", withBlock({ type: offer })),
      file("templates/cart.json", withBlock({ type: cartOffers })),
      file("config/settings_data.json", { current: { blocks: { one: { type: drawer, disabled: false } } } }),
    ];
    expect(placementIn("Dawn", "parasol", files)).toEqual({
      theme: "Dawn",
      placed: {
        product_page: ["templates/product.json", "templates/product.gift.json"],
        cart: ["templates/cart.json"],
        mini_cart: ["config/settings_data.json"],
      },
      cartSection: null,
    });
    // The same blocks in files of another kind are of no use.
    const elsewhere = { a: { type: offer }, b: { type: cartOffers }, c: { type: drawer } };
    expect(placed(file("templates/index.json", elsewhere))).toEqual({
      product_page: [],
      cart: [],
      mini_cart: [],
    });
    expect(placed(file("templates/cart.json", { a: { type: offer }, c: { type: drawer } })).cart).toEqual([]);
  });

  it.each<[string, unknown, boolean]>([
    ["a block", withBlock({ type: offer }), true],
    ["a block that is switched on in so many words", withBlock({ type: offer, disabled: false }), true],
    ["a block that is switched off", withBlock({ type: offer, disabled: true }), false],
    ["a block in another", withBlock({ type: "group", blocks: { two: { type: offer } } }), true],
    [
      "a block in one that is switched off",
      withBlock({ type: "group", disabled: true, blocks: { two: { type: offer } } }),
      false,
    ],
    ["a list of blocks", [null, "text", { type: offer }], true],
    ["an example in the theme's presets", { presets: { one: { type: offer } } }, false],
    ["another app's block", withBlock({ type: offer.replace("parasol", "parasols") }), false],
    ["another block of the app", withBlock({ type: offer.replace("offer", "offers") }), false],
    ["a block whose type is no text", withBlock({ type: 5, blocks: { two: { type: offer } } }), true],
    ["nothing", null, false],
    ["an older theme's Liquid", "{% section 'main-product' %}", false],
    ["JSON under the editor's comment", `\n /* generated\n by */ {"a":{"type":"${offer}"}}`, true],
    ["JSON with a comment below", `{"a":{"type":"${offer}"}} /* late */`, false],
  ])("knows %s", (_name, content, isPlaced) => {
    expect(placed(file("templates/product.json", content)).product_page).toEqual(
      isPlaced ? ["templates/product.json"] : [],
    );
  });

  it("is named by its templates", () => {
    expect(
      templatesIn([
        "templates/product.gift.json",
        "config/settings_data.json",
        "templates/cart.liquid",
        "a/templates/b.json",
        "templates/c.json.bak",
      ]),
    ).toEqual(["product.gift"]);
  });
});

describe("the cart's section for app blocks", () => {
  const section = (type: string, blocks: string) =>
    file(`sections/${type}.liquid`, `{% schema %}{"blocks":[${blocks}]}{% endschema %}`);
  const app = '{ "type" : "@app" }';
  const cart = (sections: object, order: string[]) => file("templates/cart.json", { sections, order });
  const found = (...files: ReturnType<typeof file>[]) => placementIn("Dawn", "parasol", files).cartSection;
  const items = { type: "main-cart-items" };
  const footer = { type: "main-cart-footer" };

  it("is the first in the template's order whose own schema takes them", () => {
    const both = { footer, items };
    const takes = [section("main-cart-items", app), section("main-cart-footer", '{"type":"@app"}')];
    expect(found(cart(both, ["items", "footer"]), ...takes)).toBe("items");
    expect(found(cart(both, ["footer", "items"]), ...takes)).toBe("footer");
    expect(found(cart(both, ["items", "footer"]), section("main-cart-footer", app))).toBe("footer");
  });

  it("is none that is switched off, is not in the order, is not there, or takes other blocks only", () => {
    const takes = section("main-cart-items", app);
    expect(found(cart({ items: { ...items, disabled: false } }, ["items"]), takes)).toBe("items");
    expect(found(cart({ items: { ...items, disabled: true } }, ["items"]), takes)).toBeNull();
    expect(found(cart({ items }, []), takes)).toBeNull();
    expect(found(cart({ items }, ["gone"]), takes)).toBeNull();
    expect(found(cart({ items }, ["items"]), section("main-cart-items", '{"type":"text"}'))).toBeNull();
    expect(found(cart({ items }, ["items"]))).toBeNull();
    expect(found(file("templates/cart.json", { order: ["items"] }), takes)).toBeNull();
    expect(
      found(file("templates/cart.b2b.json", { sections: { items }, order: ["items"] }), takes),
    ).toBeNull();
  });
});

describe("the link to the theme editor", () => {
  const link = (touchpoint: Parameters<typeof editorLink>[2]) =>
    editorLink("one.myshopify.com", "key", touchpoint);
  const editor = "https://one.myshopify.com/admin/themes/current/editor?";

  it("adds the product's block to the main section, the cart's to a new one, and switches the embed on", () => {
    expect(link("product_page")).toBe(
      `${editor}template=product&addAppBlockId=key%2Fproduct-offer&target=mainSection`,
    );
    expect(link("cart")).toBe(`${editor}template=cart&addAppBlockId=key%2Fcart-offers&target=newAppsSection`);
    expect(link("mini_cart")).toBe(`${editor}context=apps&activateAppId=key%2Fcart-drawer`);
  });

  it("leads to the cart's own section once it is known; other links stay", () => {
    expect(toCartSection(link("cart"), "cart-items")).toBe(
      `${editor}template=cart&addAppBlockId=key%2Fcart-offers&target=sectionId%3Acart-items`,
    );
    expect(toCartSection(link("cart"), null)).toBe(link("cart"));
    expect(toCartSection(link("product_page"), "cart-items")).toBe(link("product_page"));
    expect(toCartSection(link("mini_cart"), "cart-items")).toBe(link("mini_cart"));
  });
});
