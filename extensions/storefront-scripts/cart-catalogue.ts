/** What the page knows of the cart's products and their offers, and what it requests from the app. */
import type { TitledLine } from "./cart-api.ts";
import type { Category, Data } from "./cart-data.ts";
import { offersFor } from "../catalogue.ts";
import type * as Proxy from "./proxy.ts";
import type { ShownBand, ShownOffer } from "./shown-offer.ts";

/** It is a file beside this script, and most pages never need it. */
const proxyAsset = "./parasol-proxy.js";

export class Catalogue {
  #data: Data;
  /** The app's offers by variant, for products that are not in the page. */
  #fetched: Record<string, ShownOffer[]> = {};

  constructor(data: Data) {
    this.#data = data;
  }

  /** Every plan leaves the cart. */
  get isStopped() {
    return this.#data.stopped;
  }

  /** undefined where the page does not know: then the rules leave the plans alone. */
  bandsOf(variant: string): ShownBand[] | undefined {
    const category = this.categoryOf(variant);
    return category?.live ? undefined : category?.bands;
  }

  categoryOf(variant: string): Category | undefined {
    return this.#data.categories[this.#data.products[variant] ?? ""];
  }

  offersFor({ variant, price }: TitledLine): ShownOffer[] {
    return (
      this.#fetched[variant] ?? offersFor(this.categoryOf(variant)?.bands ?? [], price, this.#data.order)
    );
  }

  /** Fetches the offers of products that the page does not know, once. */
  async fetchMissing(products: TitledLine[]): Promise<void> {
    const missing = products
      .map(({ variant }) => variant)
      .filter(
        (variant) =>
          !(variant in this.#fetched) &&
          (!(variant in this.#data.products) || this.categoryOf(variant)?.live),
      )
      .slice(0, 50);
    if (!missing.length || this.isStopped) return;
    const { fetchInto } = (await import(/* @vite-ignore */ proxyAsset)) as typeof Proxy;
    await fetchInto(this.#data, this.#fetched, missing);
  }
}
