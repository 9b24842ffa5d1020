/** What a shop holds at the start. */
import type { ShopState } from "../state.ts";
import { demoShop } from "./demo.ts";
import { manyProducts } from "./many.ts";

/**
 * `demo`: the electronics shop. `empty`: nothing. `{ products }`: that number of generated products, for tests of
 * scale.
 */
export type Seed = "demo" | "empty" | { products: number };

export function seedShop(state: ShopState, seed: Seed): void {
  if (seed === "demo") demoShop(state);
  else if (seed !== "empty") manyProducts(state, seed.products);
}
