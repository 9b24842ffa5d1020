/** What the page's action answers; `later`: kept here, a run will write it to the shop. */
export interface Answer {
  product: string;
  state: "saved" | "later" | "unknown_product";
}
