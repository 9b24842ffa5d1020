/** The rows of terms, made from the row that Liquid rendered into a `<template>`. */
import type { Offer } from "./offers.ts";

/** Texts in the shopper's language, from the data attributes of the embedded script, with a # for the months. */
type Texts = DOMStringMap;

/**
 * Duration, what is paid now, whether anything follows: as snippets/parasol-term.liquid. Liquid wrote prices in the shop's
 * format; those of the app proxy, and totals, get the language's.
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
  return [
    t["months"]?.replace("#", `${term}`),
    pieces > 1 ? `${money(price * pieces)} (${each} × ${pieces})` : each,
    t[billing]?.replace("#", `${term}`),
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
  from.querySelector("[data-terms]")?.replaceChildren(
    ...offers.map((offer) => {
      const [, , , plan, reference] = offer;
      const made = row?.cloneNode(true) as DocumentFragment;
      for (const input of made.querySelectorAll("input")) {
        input.value = plan;
        input.dataset["reference"] = reference;
      }
      const texts = termTexts(offer, currency, t, pieces);
      made.querySelectorAll("span").forEach((span, index) => (span.textContent = texts[index] ?? null));
      return made;
    }),
  );
  const [cheapest] = offers.toSorted((a, b) => a[1] - b[1]);
  for (const each of from.querySelectorAll("[data-from]"))
    each.textContent = cheapest ? termTexts(cheapest, currency, t, 1)[1] : "";
}
