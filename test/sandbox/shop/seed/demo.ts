/** The demo shop. */
import { nextId } from "../ids.ts";
import { uniqueHandle } from "../products.ts";
import type { ShopState } from "../state.ts";
import { buildProduct } from "./build.ts";
import { seedIn } from "./products.ts";

export function demoShop(state: ShopState, language = "fr"): void {
  if (state.locale === "fr") state.publishedLanguages = ["fr", "en"];
  const opened = Date.parse(state.createdAt);
  const seed = seedIn(language);
  seed.products.forEach((product, index) =>
    buildProduct(state, product, new Date(opened + (index + 1) * 3_600_000).toISOString()),
  );
  for (const { title, types, tag } of seed.collections) {
    const id = nextId(state, "collection");
    const productIds = [...state.products.values()]
      .filter(
        ({ productType, tags }) => types.includes(productType) || (tag !== undefined && tags.includes(tag)),
      )
      .map((product) => product.id);
    state.collections.set(id, { id, handle: uniqueHandle(state, title), title, productIds });
  }
  const first = nextId(state, "collection");
  // The theme's home page shows the collection with this handle.
  state.collections.set(first, {
    id: first,
    handle: "frontpage",
    title: seed.frontPage,
    productIds: [...state.products.values()]
      .filter(({ variants }) => variants[0]?.compareAtPrice != null || (variants[0]?.price ?? 0) > 100_000)
      .map(({ id }) => id),
  });
}
