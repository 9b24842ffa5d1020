/** The rows of terms, made from the row that Liquid rendered into a `<template>`. */
import type { Offer } from "./offers.ts";

/** Texts in the shopper's language, from the data attributes of the embedded script, with a # for the months. */
type Texts = DOMStringMap;

/**
 * Duration, what is paid now, whether anything follows: as snippets/parasol-term.liquid. And the price to say after "from".
 * Amounts are written as the shop writes them, after 1,234.11 as Liquid wrote it: beside the theme's own prices.
 */
export function termTexts([term, price, billing]: Offer, t: Texts, pieces: number) {
  const money = (minor: number) =>
    (t["money"] as string).replace(/1(.?)234(?:(.)11)?/, (_, group: string, point: string) =>
      (minor / 100)
        .toFixed(point ? 2 : 0)
        .replace(".", point)
        .replace(/\B(?=(\d{3})+\b)/g, group),
    );
  const each = money(price);
  const say = (name: string, value: number | string) => t[name]?.replace("#", value as string);
  return [
    say("months", term),
    money(price * pieces),
    (say(billing, term) as string) + (pieces > 1 ? ` (${each}\u00a0×\u00a0${pieces})` : ""),
    say(`${billing}From`, each),
  ] as const;
}

/** Everything is set as text: nothing from outside becomes HTML. */
export function renderTerms(
  from: Element | DocumentFragment,
  offers: Offer[],
  t: Texts,
  pieces: number,
): void {
  const row = from.querySelector<HTMLTemplateElement>("template:not([data-line])")?.content;
  let least = Infinity;
  let cheapest: string | undefined;
  from.querySelector("[data-terms]")?.replaceChildren(
    ...offers.map((offer) => {
      const [term, price, billing, plan, reference] = offer;
      const made = row?.cloneNode(true) as DocumentFragment;
      const input = made.querySelector("input") as HTMLInputElement;
      input.value = plan;
      input.dataset["reference"] = reference;
      const texts = termTexts(offer, t, pieces);
      made.querySelectorAll("span").forEach((span, index) => (span.textContent = texts[index] as string));
      // Over the whole term, as snippets/parasol-from.liquid.
      const total = billing === "monthly" ? price * term : price;
      if (total < least) {
        least = total;
        cheapest = texts[3];
      }
      return made;
    }),
  );
  // Where there is no offer it is emptied.
  for (const each of from.querySelectorAll("[data-from]")) each.textContent = cheapest as string;
}
