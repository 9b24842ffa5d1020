/** One product's row in the cart: what insures it, what is offered for it. Made from the row that Liquid rendered. */
import type { TitledLine } from "./cart-api.ts";
import type { Category } from "./cart-data.ts";
import { type Gap, plansOf } from "./cart-rules.ts";
import { isDeclined, proposalFor, recall } from "./memory.ts";
import type { ShownOffer } from "./shown-offer.ts";
import { renderTerms, termTexts } from "./terms.ts";

export interface RowOf {
  line: TitledLine;
  lines: TitledLine[];
  category: Category | undefined;
  offers: ShownOffer[];
  /** items that its plans do not insure */
  gap: Gap | undefined;
  touchpoint: string;
  /** the embedded script's texts in the shopper's language */
  texts: DOMStringMap;
}

/** A plan that is offered for one click, because the shopper had it or wanted it. */
interface Suggestion {
  reference: string | undefined;
  /** names of texts: above the offer, on the button */
  note?: string;
  label: string;
}

/** undefined where nothing is to be suggested. */
function suggestionFor(line: TitledLine, lines: TitledLine[], gap?: Gap): Suggestion | undefined {
  if (gap) return { reference: gap.plan.properties["_parasol_reference"], label: "more" };
  if (plansOf(line, lines).length) return undefined;
  const proposal = proposalFor(line);
  if (proposal) return { reference: proposal, note: "repriced", label: "again" };
  const chosen = recall("chosen")[line.variant];
  return chosen && !isDeclined(line.variant)
    ? { reference: chosen, note: "kept", label: "insure" }
    : undefined;
}

/** Fills a row; false where the line needs none. */
export function fillRow(row: DocumentFragment, of: RowOf): boolean {
  const { line, lines, category, offers, gap, texts } = of;
  const set = (name: string, text: string) => {
    for (const each of row.querySelectorAll(`[data-${name}]`)) each.replaceChildren(text);
  };
  const remove = (selector: string) => row.querySelector(selector)?.remove();
  // "Insurance - 24 months": the plan's product and its variant.
  const titles = new Set(plansOf(line, lines).map(({ title }) => title.replace(/ - ([^-]*)$/, ", $1")));
  const suggestion = suggestionFor(line, lines, gap);
  const note = suggestion?.note;
  row.querySelector("li")?.setAttribute("data-key", line.key);
  set("title", line.title);
  if (titles.size) {
    const covered = gap ? ` (${line.quantity - gap.quantity}/${line.quantity})` : "";
    set("insured", [...titles].join(", ") + covered);
  } else remove("p:has([data-insured])");
  if (note) set("note", `${line.title} · ${texts[note] ?? ""}`);
  else remove("[data-note]");
  if ((titles.size && !gap) || !category || !offers.length) {
    remove("details");
    return !!titles.size || note === "repriced";
  }
  const offer = offers.find(({ reference }) => reference === suggestion?.reference);
  const button = row.querySelector("button") as HTMLButtonElement;
  const quantity = gap?.quantity ?? line.quantity;
  // What the button says once a term is chosen.
  button.dataset["add"] = button.textContent = category.button || (texts["add"] as string);
  if (offer && suggestion) {
    row.querySelector("details")?.toggleAttribute("open");
    button.value = offer.variant;
    button.disabled = false;
    const { formulaName, duration, price, billing } = termTexts(offer, texts, quantity);
    const label = texts[suggestion.label]?.replace("#", `${quantity}`);
    button.textContent = [label, formulaName + duration, price, billing].join(" ");
  }
  renderTerms(row, offers, texts, quantity);
  for (const input of row.querySelectorAll("input"))
    input.name = `parasol-${of.touchpoint}-${line.key}${input.closest("[data-terms]") ? "" : "-formula"}`;
  // The row has a general headline of its own. A refusal is stated, without a question.
  if (isDeclined(line.variant)) {
    set("headline", texts["none"] as string);
    remove("[data-price-from]");
  } else if (category.headline) set("headline", category.headline);
  // As in Liquid: of several formulas each covers something else.
  set("cover", offers[0]?.formula ? "" : category.cover);
  const links = row.querySelector("[data-documents]") as Element;
  links.replaceWith(
    ...category.documents.map(({ name, ipid, cg }) => {
      const made = links.cloneNode(true) as Element;
      made.querySelector("[data-ipid]")?.setAttribute("href", ipid);
      made.querySelector("[data-cg]")?.setAttribute("href", cg);
      if (name) made.prepend(Object.assign(document.createElement("b"), { textContent: name }));
      return made;
    }),
  );
  return true;
}
