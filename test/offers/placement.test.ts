import { describe, expect, it } from "vitest";
import { cartSectionIn } from "#app/offers/cart.ts";
import { editorLink, toCartSection } from "#app/offers/editor-links.ts";
import { readPlacement } from "#app/offers/placement.ts";

const file = (filename: string, content: unknown) => ({ filename, content: JSON.stringify(content) });

describe("where the shop shows the app's blocks", () => {
  const themeId = "gid://shopify/OnlineStoreTheme/1";
  const block = (handle: string, status: string, ...places: string[]) => ({
    handle,
    name: "A name",
    target: "section",
    status,
    activations: places.map((target) => ({ target, themeId })),
  });
  const theme = (...activations: object[]) => ({
    handle: "parasol-storefront",
    type: "theme_app_extension",
    activations,
  });
  const ui = (...targets: string[]) => ({
    handle: "order-cover",
    type: "ui_extension",
    activations: targets.map((target) => ({ target })),
  });
  const placed = (...extensions: object[]) => [...(readPlacement(extensions)?.placed ?? [])];

  it("is each block and embed that is active, with its templates", () => {
    const product = block(
      "product-offer",
      "active",
      "template--product/main/a",
      "template--product.gift/main/b",
      "template--product/other/c",
    );
    expect(
      readPlacement([
        theme(
          product,
          block("cart-offers", "active", "template--cart/cart-items/d", "somewhere/else"),
          block("cart-drawer", "active", "settings_data/current"),
        ),
      ]),
    ).toEqual({
      placed: new Set(["product_page", "cart", "mini_cart"]),
      templates: { product_page: ["product", "product.gift"], cart: ["cart"], mini_cart: [] },
    });
  });

  it("is the link to the withdrawal in the footer, which is no touchpoint", () => {
    expect(placed(theme(block("withdrawal-link", "active", "sections--1__footer/a")))).toEqual([
      "withdrawal",
    ]);
    expect(placed(theme(block("withdrawal-link", "available")))).toEqual([]);
  });

  it("is none that could be placed, cannot be, or is another block's", () => {
    for (const status of ["available", "unavailable"])
      expect(placed(theme(block("product-offer", status)))).toEqual([]);
    expect(placed(theme(block("other-block", "active", "template--product/main/a")))).toEqual([]);
    expect(placed({ ...theme(block("product-offer", "active")), type: "ui_extension" })).toEqual([]);
  });

  it("is each target of the other extensions", () => {
    expect(
      placed(
        ui("customer-account.order-status.block.render", "purchase.thank-you.block.render"),
        ui("customer-account.page.render"),
        ui("purchase.checkout.cart-line-item.render-after"),
        ui("admin.order-details.block.render"),
      ),
    ).toEqual(["checkout", "thank_you", "order_page", "account"]);
    expect(placed({ ...ui("customer-account.page.render"), type: "theme_app_extension" })).toEqual([]);
  });

  it("is nothing where the app has no extension, and not known from another answer", () => {
    expect(readPlacement([])?.placed.size).toBe(0);
    for (const answer of [
      null,
      undefined,
      {},
      [{ handle: "x" }],
      [{ type: "ui_extension", activations: "x" }],
    ])
      expect(readPlacement(answer)).toBeNull();
  });
});

describe("the cart's section for app blocks", () => {
  const section = (type: string, blocks: string) => ({
    filename: `sections/${type}.liquid`,
    content: `{% schema %}{"blocks":[${blocks}]}{% endschema %}`,
  });
  const app = '{ "type" : "@app" }';
  const cart = (sections: object, order: string[]) => file("templates/cart.json", { sections, order });
  const found = (...files: { filename: string; content: string }[]) => cartSectionIn(files);
  const items = { type: "main-cart-items" };
  const footer = { type: "main-cart-footer" };

  it("is the first in the template's order whose own schema takes them", () => {
    const both = { footer, items };
    const takes = [section("main-cart-items", app), section("main-cart-footer", '{"type":"@app"}')];
    expect(found(cart(both, ["items", "footer"]), ...takes)).toBe("items");
    expect(found(cart(both, ["footer", "items"]), ...takes)).toBe("footer");
    expect(found(cart(both, ["items", "footer"]), section("main-cart-footer", app))).toBe("footer");
  });

  it("is read from under the comment that the editor writes, and is none of an older theme's Liquid", () => {
    const { content, filename } = cart({ items }, ["items"]);
    const takes = section("main-cart-items", app);
    expect(found({ filename, content: `\n /* generated\n by */ ${content}` }, takes)).toBe("items");
    expect(found({ filename, content: `${content} /* late */` }, takes)).toBeNull();
    expect(found({ filename, content: "{% section 'main-cart' %}" }, takes)).toBeNull();
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
