/** The rows of terms, made from the row that Liquid rendered into a `<template>`. */
import type { Offer } from "./offers.ts";

/** Texts in the shopper's language, from the data attributes of the embedded script, with a # for a number. */
type Texts = DOMStringMap;

/**
 * Duration, what is paid now, whether anything follows: as snippets/parasol-term.liquid. And the price to say after "from".
 * Amounts are written as the shop writes them, after 1,234.11 as Liquid wrote it: beside the theme's own prices.
 */
export function termTexts([term, price, billing, , , formula]: Offer, t: Texts, pieces: number) {
  const write = (name: string, value: string) => t[name]?.replace("#", value) as string;
  const money = (minor: number) =>
    (t["money"] as string).replace(/1(.?)234(?:(.)11)?/, (_, group: string, point: string) =>
      (minor / 100)
        .toFixed(point ? 2 : 0)
        .replace(".", point)
        .replace(/\B(?=(\d{3})+\b)/g, group),
    );
  const sum = price * pieces;
  return [
    (formula ? `${formula} · ` : "") + write(term > 1 ? "months" : "month", `${term}`),
    money(sum),
    write(billing, money(sum * term)) + (pieces > 1 ? ` (${money(price)}\u00a0×\u00a0${pieces})` : ""),
    write(`${billing}From`, money(sum)),
  ] as const;
}

/**
 * The rows of the same offers stay, and only their prices change: replaced while the shopper presses one, it would lose
 * the click. Offers are set as text: only Liquid's row becomes HTML.
 */
export function renderTerms(
  from: Element | DocumentFragment,
  offers: Offer[],
  t: Texts,
  pieces: number,
): void {
  const texts = offers.map((offer) => termTexts(offer, t, pieces));
  // Over the whole term, as snippets/parasol-from.liquid.
  const total = ([term, price, billing]: Offer) => (billing === "monthly" ? price * term : price);
  const [cheapest] = offers.toSorted((a, b) => total(a) - total(b));
  for (const rows of from.querySelectorAll("[data-terms]")) {
    const plans = [...rows.querySelectorAll("input")].map(({ value }) => value);
    if (plans.join() !== offers.map((offer) => offer[3]).join()) {
      const row = rows.parentElement?.querySelector("template")?.innerHTML as string;
      rows.innerHTML = row.repeat(offers.length);
    }
    rows.querySelectorAll("input").forEach((input, index) => {
      input.value = offers[index]?.[3] as string;
      const spans = (input.parentElement as Element).querySelectorAll("span");
      spans.forEach((span, at) => (span.textContent = texts[index]?.[at] as string));
    });
  }
  // Where there is no offer it is emptied.
  for (const each of from.querySelectorAll("[data-from]"))
    each.textContent = texts[offers.indexOf(cheapest as Offer)]?.[3] ?? "";
}
