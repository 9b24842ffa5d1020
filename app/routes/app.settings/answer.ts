/** What the page's action answers. */
export interface Answer {
  done: "saved" | "invalid";
}
