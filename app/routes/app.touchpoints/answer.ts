/** What the page's action answers; `not_shown`: saved, but the shop did not take it over. */
export interface Answer {
  state: "saved" | "not_shown" | "invalid";
}
