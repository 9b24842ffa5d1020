/** A shop of many variants has a daily limit of new ones. */
import type { ShopState } from "../../state.ts";

const day = 24 * 3_600_000;

/** Plans without the limit. */
const unlimited = ["Shopify Plus", "Enterprise"];

export class VariantThrottle {
  /** The limit holds from this number of variants on; tests set it lower. */
  from = 50_000;
  perDay = 1_000;
  readonly #state: ShopState;
  #created: { at: number; variants: number }[] = [];

  constructor(state: ShopState) {
    this.#state = state;
  }

  /** Notes a number of new variants, or refuses them all. */
  take(variants: number): boolean {
    if (variants === 0 || unlimited.includes(this.#state.plan)) return true;
    if (this.#state.variantProducts.size + variants <= this.from) return true;
    this.#created = this.#created.filter(({ at }) => at > Date.now() - day);
    const today = this.#created.reduce((sum, each) => sum + each.variants, 0);
    if (today + variants > this.perDay) return false;
    this.#created.push({ at: Date.now(), variants });
    return true;
  }

  /** What was created is more than a day ago. */
  nextDay(): void {
    this.#created = [];
  }
}
