/** Builds the rows of terms from the row that Liquid rendered into a `<template>`. */
import { formulasOf, type Offer } from "./offers.ts";

/** Texts in the shopper's language, from the embedded script's data attributes; # stands for a number. */
type Texts = DOMStringMap;

/**
 * Duration, current payment, and billing, as in snippets/parasol-term.liquid; the "from" price, and the formula before
 * the duration. Amounts follow the shop's format, taken from Liquid's rendering of 1,234.11, to match the theme's
 * prices.
 */
export function termTexts(
  [term, price, billing, , , formula, shown = formula]: Offer,
  t: Texts,
  pieces: number,
) {
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
    write(term > 1 ? "months" : "month", `${term}`),
    money(sum),
    write(billing, money(sum * term)) + (pieces > 1 ? ` (${money(price)}\u00a0×\u00a0${pieces})` : ""),
    write(`${billing}From`, money(sum)),
    shown ? `${shown} · ` : "",
  ] as const;
}

/**
 * Updates the prices of existing rows in place: replacing a row during a press would lose the click. Offers are set as
 * text; only Liquid's row becomes HTML.
 */
export function renderTerms(
  from: Element | DocumentFragment,
  offers: Offer[],
  t: Texts,
  pieces: number,
): void {
  const texts = offers.map((offer) => termTexts(offer, t, pieces));
  // The price over the whole term, as in snippets/parasol-from.liquid.
  const total = ([term, price, billing]: Offer) => (billing === "monthly" ? price * term : price);
  const byTotal = offers.toSorted((a, b) => total(a) - total(b));
  for (const list of from.querySelectorAll("[data-formulas]")) {
    const formulas = list.matches("[data-one]") && offers[0] ? [offers] : formulasOf(offers);
    const plans = [...list.querySelectorAll<HTMLInputElement>("[data-terms] input")].map(
      ({ value }) => value,
    );
    const open = list.querySelector<HTMLInputElement>(".parasol__formula :checked")?.value;
    if (plans.join() !== offers.map((offer) => offer[3]).join()) {
      const template = (list.parentElement as Element).querySelector("template") as HTMLTemplateElement;
      list.innerHTML = template.innerHTML.repeat(formulas.length);
      formulas.forEach(({ length, 0: offer }, at) => {
        const [formula, rows] = (list.children[at] as Element).children as unknown as [Element, Element];
        rows.innerHTML = rows.innerHTML.repeat(length);
        const input = formula.firstElementChild as HTMLInputElement;
        const [, , , , , name, shown = name] = offer as Offer;
        input.value = name as string;
        input.checked = name === open;
        (input.nextElementSibling as Element).textContent = shown as string;
        if (!formulas[1]) formula.remove();
      });
    }
    list.querySelectorAll<HTMLInputElement>("[data-terms] input").forEach((input, index) => {
      input.value = offers[index]?.[3] as string;
      const row = input.parentElement as Element;
      row.querySelectorAll("span").forEach((span, at) => (span.textContent = texts[index]?.[at] as string));
      row.querySelector("b")?.replaceChildren(texts[index]?.[4] as string);
    });
  }
  // Without an offer the element is emptied.
  for (const each of from.querySelectorAll("[data-from]")) {
    const formula = each.closest(".parasol__formula")?.querySelector("input")?.value;
    const cheapest = byTotal.find((offer) => formula === undefined || offer[5] === formula);
    each.textContent = texts[offers.indexOf(cheapest as Offer)]?.[3] ?? "";
  }
}

/** If the shopper opens another formula, the chosen term is cleared, because its row is hidden. */
export function openFormula(target: EventTarget | null) {
  (target as Element)
    .closest(".parasol__formula")
    ?.closest("[data-formulas]")
    ?.querySelectorAll<HTMLInputElement>("[data-terms] input")
    .forEach((input) => (input.checked = false));
}
