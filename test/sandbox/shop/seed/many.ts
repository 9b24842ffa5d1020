/** A large catalogue from the demo's products, for tests of scale: the same products for the same number. */
import { nextId } from "../ids.ts";
import type { ShopState } from "../state.ts";
import { buildProduct } from "./build.ts";
import { seedProducts } from "./products.ts";
import type { SeedProduct } from "./products.ts";

export function manyProducts(state: ShopState, products: number): void {
  const opened = Date.parse(state.createdAt);
  const byType = new Map<string, string[]>();
  for (let index = 0; index < products; index += 1) {
    const seed = seedProducts[index % seedProducts.length];
    if (seed === undefined) break;
    const series = Math.floor(index / seedProducts.length);
    const title = series === 0 ? seed.title : `${seed.title} série ${series + 1}`;
    // Prices spread over the bands, in a realistic range for the product.
    const price = Math.round(seed.price * (0.8 + ((index * 37) % 41) / 100) * 100) / 100;
    const made: SeedProduct = { ...seed, title, price };
    // The handles are unique by construction: searching a free one among 100,000 would take quadratic time.
    const product = buildProduct(
      state,
      made,
      new Date(opened + index * 1000).toISOString(),
      `p-${index + 1}`,
    );
    const ids = byType.get(seed.type) ?? [];
    ids.push(product.id);
    byType.set(seed.type, ids);
  }
  for (const [title, productIds] of byType) {
    const id = nextId(state, "collection");
    state.collections.set(id, { id, handle: `c-${state.collections.size + 1}`, title, productIds });
  }
}
