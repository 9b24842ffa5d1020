/** The rows of terms, made from the row that Liquid rendered into a `<template>`. */
import { money, type Offer } from "./offers.ts";

export interface Wording {
  /** the shop's money format */
  money: string;
  /** texts by name; `months` has a # for the number */
  t: Record<string, string>;
}

/** Everything is set as text: nothing from outside becomes HTML. */
export function showTerms(
  from: Element | DocumentFragment,
  offers: Offer[],
  { money: format, t }: Wording,
): void {
  const row = from.querySelector<HTMLTemplateElement>("template:not([data-line])")?.content;
  from.querySelector("[data-terms]")?.replaceChildren(
    ...offers.map(([term, price, billing, plan, reference]) => {
      const made = row?.cloneNode(true) as DocumentFragment;
      const [input] = made.querySelectorAll("input");
      if (input) Object.assign(input, { value: plan }).dataset["reference"] = reference;
      const texts = [t["months"]?.replace("#", String(term)), money(price, format), t[billing]];
      made.querySelectorAll("span").forEach((span, index) => (span.textContent = texts[index] ?? ""));
      return made;
    }),
  );
  const cheapest = money(Math.min(...offers.map(([, price]) => price)), format);
  for (const each of from.querySelectorAll("[data-from]")) each.textContent = cheapest;
}
