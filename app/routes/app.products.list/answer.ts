/** What the page's action answers; `later`: saved, and written to the shop with the next reading of the products. */
export interface Answer {
  product: string;
  state: "saved" | "later" | "unknown_product";
}
