/** What the page's action answers: how many jobs it reached. */
export interface Answer {
  did: "replay" | "discard";
  count: number;
}
