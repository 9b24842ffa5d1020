/** The rows of terms, made from the row that Liquid rendered into a `<template>`. */
import type { Offer } from "./offers.ts";

/** Texts in the shopper's language, from the data attributes of the embedded script; `months` has a # for the number. */
type Texts = DOMStringMap;

/** Duration, price and billing. Liquid wrote prices in the shop's format; those of the app proxy get the language's. */
export function termTexts([term, price, billing, , , text]: Offer, currency: string, t: Texts) {
  const { lang } = document.documentElement;
  return [
    t["months"]?.replace("#", `${term}`),
    text ?? new Intl.NumberFormat(lang, { style: "currency", currency }).format(price / 100),
    t[billing],
  ] as const;
}

/** Everything is set as text: nothing from outside becomes HTML. */
export function renderTerms(
  from: Element | DocumentFragment,
  offers: Offer[],
  currency: string,
  t: Texts,
): void {
  const row = from.querySelector<HTMLTemplateElement>("template:not([data-line])")?.content;
  from.querySelector("[data-terms]")?.replaceChildren(
    ...offers.map((offer) => {
      const [, , , plan, reference] = offer;
      const made = row?.cloneNode(true) as DocumentFragment;
      const [input] = made.querySelectorAll("input");
      if (input) Object.assign(input, { value: plan }).dataset["reference"] = reference;
      const texts = termTexts(offer, currency, t);
      made.querySelectorAll("span").forEach((span, index) => (span.textContent = texts[index] ?? null));
      return made;
    }),
  );
  const [cheapest] = [...offers].sort((a, b) => a[1] - b[1]);
  for (const each of from.querySelectorAll("[data-from]"))
    each.textContent = cheapest ? termTexts(cheapest, currency, t)[1] : "";
}
