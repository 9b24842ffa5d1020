import type { ShopOptions } from "#test/sandbox/shop/seed/shop.ts";

/** The demo's shop in a language, with its products. */
export function shopIn(language: string): ShopOptions {
  return language === "en"
    ? { locale: "en", products: "en", name: "Lumen Electronics" }
    : { locale: language, products: "fr" };
}
