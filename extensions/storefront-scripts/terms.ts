/** The rows of terms, made from the row that Liquid rendered into a `<template>`. */
import type { Offer } from "./offers.ts";

/** Texts in the shopper's language, from the data attributes of the embedded script, with a # for the months. */
type Texts = DOMStringMap;

/**
 * Duration, what is paid now, whether anything follows: as snippets/parasol-term.liquid. And the price to say after "from".
 * Liquid wrote prices in the shop's format; those of the app proxy, and totals, get the language's.
 */
export function termTexts(
  [term, price, billing, , , text]: Offer,
  currency: string,
  t: Texts,
  pieces: number,
) {
  const money = (minor: number) =>
    (minor / 100).toLocaleString(document.documentElement.lang, { style: "currency", currency });
  const each = text ?? money(price);
  const say = (name: string, value: number | string) => t[name]?.replace("#", `${value}`);
  return [
    say("months", term),
    pieces > 1 ? `${money(price * pieces)} (${money(price)} × ${pieces})` : each,
    say(billing, term),
    say(`${billing}From`, each),
  ] as const;
}

/** Everything is set as text: nothing from outside becomes HTML. */
export function renderTerms(
  from: Element | DocumentFragment,
  offers: Offer[],
  currency: string,
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
      for (const input of made.querySelectorAll("input")) {
        input.value = plan;
        input.dataset["reference"] = reference;
      }
      const texts = termTexts(offer, currency, t, pieces);
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
