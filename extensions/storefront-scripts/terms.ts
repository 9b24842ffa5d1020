/** Writes the rows of terms, from the row that Liquid rendered into a `<template>` (snippets/parasol-terms.liquid). */
import { cheapestOf, formulasOf, totalOf } from "../catalogue.ts";
import type { ShownOffer } from "./shown-offer.ts";

/** The texts in the shopper's language, from snippets/parasol-term-texts.liquid; # stands for a number. */
type Texts = DOMStringMap;

/** An offer's texts, by the `data-` names of snippets/parasol-term.liquid. */
interface TermTexts {
  duration: string;
  /** what is paid now */
  price: string;
  /** what a monthly offer costs in total, or one paid once a month, and what several items cost together */
  billing: string;
  formulaName: string;
}

export function termTexts(offer: ShownOffer, texts: Texts, pieces: number): TermTexts {
  const { term, price, billing } = offer;
  // What follows a month's price is the whole; what follows the whole is its price a month.
  const other = billing === "monthly" ? totalOf(offer) * pieces : Math.round((price * pieces) / term);
  const name = nameOf(offer);
  const several = pieces > 1 ? ` (${money(price, texts)}\u00a0×\u00a0${pieces})` : "";
  return {
    duration: write(texts[term > 1 ? "months" : "month"], `${term}`),
    price: money(price * pieces, texts),
    billing: write(texts[billing], money(other, texts)) + several,
    formulaName: name ? `${name} · ` : "",
  };
}

const nameOf = ({ formula, formulaName }: ShownOffer) => formulaName ?? formula;

const write = (text = "", value: string) => text.replace("#", value);

/** In the shop's format, taken from Liquid's rendering of 1,234.11, to match the theme's prices. */
function money(minor: number, texts: Texts): string {
  return (texts["money"] ?? "").replace(/1(.?)234(?:(.)11)?/, (_, group: string, point: string) =>
    (minor / 100)
      .toFixed(point ? 2 : 0)
      .replace(".", point)
      .replace(/\B(?=(\d{3})+\b)/g, group),
  );
}

/** The lowest price, "per month" if it is paid so, as in snippets/parasol-from.liquid. Empty without an offer. */
function fromText(offers: ShownOffer[], texts: Texts, pieces: number): string {
  const cheapest = cheapestOf(offers);
  if (!cheapest) return "";
  const price = money(cheapest.price * pieces, texts);
  return cheapest.billing === "monthly" ? write(texts["monthlyFrom"], price) : price;
}

/**
 * Writes the offers into every list of terms, and their lowest price. Existing rows are updated in place: replacing a
 * row during a press would lose the click. Offers are set as text; only Liquid's row becomes HTML.
 */
export function renderTerms(
  root: Element | DocumentFragment,
  offers: ShownOffer[],
  texts: Texts,
  pieces: number,
): void {
  for (const list of root.querySelectorAll("[data-formulas]")) {
    const variants = termInputs(list).map(({ value }) => value);
    if (variants.join() !== offers.map(({ variant }) => variant).join()) rebuildRows(list, offers);
    termInputs(list).forEach((input, index) => {
      const offer = offers[index];
      const row = input.closest("[data-term]");
      if (!offer || !row) return;
      input.value = offer.variant;
      const { duration, price, billing, formulaName } = termTexts(offer, texts, pieces);
      row.querySelector("[data-duration]")?.replaceChildren(duration);
      row.querySelector("[data-price]")?.replaceChildren(price);
      row.querySelector("[data-billing]")?.replaceChildren(billing);
      row.querySelector("[data-formula-name]")?.replaceChildren(formulaName);
    });
  }
  for (const place of root.querySelectorAll("[data-from]")) {
    const formula = place.closest("[data-formula]")?.querySelector("input")?.value;
    const own = offers.filter((offer) => formula === undefined || offer.formula === formula);
    place.textContent = fromText(own, texts, pieces);
  }
}

const termInputs = (list: Element) => [...list.querySelectorAll<HTMLInputElement>("[data-terms] input")];

function rebuildRows(list: Element, offers: ShownOffer[]): void {
  const template = list.parentElement?.querySelector<HTMLTemplateElement>("[data-formula-template]");
  const open = list.querySelector<HTMLInputElement>("[data-formula] :checked")?.value;
  // The checkbox shows one list, whatever the formulas are.
  const formulas = list.hasAttribute("data-single") && offers[0] ? [offers] : formulasOf(offers);
  const groups = formulas.flatMap((terms) => {
    const group = template?.content.firstElementChild?.cloneNode(true) as Element | undefined;
    const [offer] = terms;
    if (!group || !offer) return [];
    const rows = group.querySelector("[data-terms]");
    const row = rows?.firstElementChild;
    rows?.replaceChildren(...terms.map(() => row?.cloneNode(true) ?? ""));
    const formula = group.querySelector("[data-formula]");
    if (formulas.length < 2) formula?.remove();
    const input = formula?.querySelector("input");
    if (input) {
      input.value = offer.formula ?? "";
      input.checked = input.value === open;
    }
    formula?.querySelector("[data-formula-name]")?.replaceChildren(nameOf(offer) ?? "");
    return [group];
  });
  list.replaceChildren(...groups);
}

/** If the shopper opens another formula, the chosen term is cleared, because its row is hidden. */
export function clearHiddenTerms(target: Element): void {
  const list = target.closest("[data-formula]")?.closest("[data-formulas]");
  if (list) for (const input of termInputs(list)) input.checked = false;
}
