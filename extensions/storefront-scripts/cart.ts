/**
 * Insurance on the cart page and in the theme's drawer: plans to add and plans that are there. Liquid has rendered the
 * cart page; the drawer and every later state are rendered here from the same templates.
 */
import { linesOf, type TitledLine } from "./cart-api.ts";
import { Catalogue } from "./cart-catalogue.ts";
import type { Data } from "./cart-data.ts";
import { fillRow } from "./cart-row.ts";
import { findGaps, isPlan, plansOf, uninsuredItems } from "./cart-rules.ts";
import {
  changeCart,
  type Panel,
  panels,
  repeatAnnouncement,
  said,
  scheduleSync,
  syncIfNeeded,
} from "./cart-sync.ts";
import { placeInDrawer } from "./drawer.ts";
import { insure } from "./insure.ts";
import { propose, remember } from "./memory.ts";
import { onRefresh } from "./public-api.ts";
import { noteOffered, noteShown } from "./offered.ts";
import { hidePrintedProperties } from "./printed-properties.ts";
import { publish } from "./publish-event.ts";
import { clearHiddenTerms } from "./terms.ts";

/** It is a file beside this script; product pages have it without this. */
const productAsset = "./parasol-product.js";

/** Elements that someone has placed on a page without an app block: a page builder, for example. */
function loadPlacedOffers(): void {
  if (document.querySelector("parasol-offer[product]")) void import(/* @vite-ignore */ productAsset);
}

class ParasolCart extends HTMLElement implements Panel {
  #script = this.querySelector("script") as HTMLScriptElement;
  #data = JSON.parse(this.#script.text) as Data;
  texts = this.#script.dataset;
  #drawer = this.hasAttribute("data-drawer");
  catalogue = new Catalogue(this.#data);
  #lines = linesOf(this.#data.lines);
  /** What is to be shown next: the rows of an older cart would come late. */
  #latest = this.#lines;
  #isVisible = false;
  /** Until the shopper's press ends: a row that is replaced under the pointer would lose the click. */
  #press: Promise<unknown> = Promise.resolve();
  #visibility = new IntersectionObserver((entries) => {
    this.#isVisible = !!entries.at(-1)?.isIntersecting;
    this.noteSeen();
  });

  constructor() {
    super();
    this.addEventListener("change", (event) => this.#select(event));
    this.addEventListener("click", (event) => void this.#click(event.target));
    this.addEventListener("pointerdown", () => {
      this.#press = new Promise((resolve) => {
        // The click follows at once.
        for (const end of ["pointerup", "pointercancel"])
          addEventListener(end, () => setTimeout(resolve), { once: true });
      });
    });
    new MutationObserver(() => this.refresh()).observe(this, {
      subtree: true,
      childList: true,
      attributeFilter: ["disabled"],
    });
    this.refresh();
  }

  /** What the script adds to Liquid's rendering, also where a theme patches its cart with a fresh one. */
  refresh() {
    for (const set of this.querySelectorAll("fieldset")) set.disabled = false;
    const place = this.querySelector("[data-said]");
    if (place && place.textContent !== said) place.textContent = said;
  }

  connectedCallback() {
    panels.add(this);
    this.#visibility.observe(this);
    // Liquid does not know which plans were removed or chosen, what insures the other items of a product, nor offers that
    // only the app knows. The drawer's rows stay when the panel is put back.
    if (!this.#drawer) void this.show(this.#latest);
  }

  disconnectedCallback() {
    this.#visibility.disconnect();
    // The drawer's panel is put back when the theme has redrawn its drawer.
    if (!this.#drawer) panels.delete(this);
  }

  start() {
    if (this.#drawer) {
      void this.show(this.#latest);
      new MutationObserver(() => this.place()).observe(document.body, { childList: true, subtree: true });
    }
    syncIfNeeded(this.#data.lines);
  }

  async show(lines: TitledLine[]) {
    // Shopify nests one level deep: a product under another one cannot have a plan under itself.
    const products = lines.filter((line) => !isPlan(line) && !line.isLocked && !line.parent);
    // It is in the cart: taken out there, it is not offered as a choice again.
    for (const line of products)
      if (plansOf(line, lines).length) {
        remember("chosen", line.variant);
        propose(line);
      }
    noteShown(products.map(({ variant }) => variant));
    this.#latest = lines;
    // Without the app's response the page shows what it knows itself.
    await this.catalogue.fetchMissing(products).catch(() => undefined);
    await this.#press;
    if (this.#latest !== lines) return;
    // With the rows that show them: what is chosen in a row is for the items that it names.
    this.#lines = lines;
    const row = this.querySelector<HTMLTemplateElement>("template[data-line]")?.content;
    const gaps = findGaps(lines);
    const rows = products.flatMap((line) => {
      const made = row?.cloneNode(true) as DocumentFragment;
      const isFilled = fillRow(made, {
        line,
        lines,
        category: this.catalogue.categoryOf(line.variant),
        offers: this.catalogue.offersFor(line),
        gap: gaps.find(({ product }) => product === line),
        touchpoint: this.#data.touchpoint,
        texts: this.texts,
      });
      return isFilled ? [made] : [];
    });
    // Themes draw their cart several times for one change: an offer that the shopper has opened stays open.
    const opened = [...this.querySelectorAll("[data-key]:has([open])")].map((each) =>
      each.getAttribute("data-key"),
    );
    this.querySelector("[data-lines]")?.replaceChildren(...rows);
    for (const key of opened) this.querySelector(`[data-key="${key}"] details`)?.setAttribute("open", "");
    const legal = new Set(products.map(({ variant }) => this.catalogue.categoryOf(variant)?.legal));
    this.querySelector("[data-legal]")?.replaceChildren([...legal].join(" "));
    this.place();
    this.noteSeen();
  }

  noteSeen() {
    if (!this.#isVisible || getComputedStyle(this).visibility !== "visible") return;
    const isOffered = ({ key }: TitledLine) => this.querySelector(`[data-key="${key}"] details`);
    noteOffered(
      this.#lines.filter(isOffered).map(({ variant }) => variant),
      this.#data.touchpoint,
    );
  }

  #select(event: Event) {
    // The theme listens for changes of its own quantity fields.
    event.stopPropagation();
    clearHiddenTerms(event.target as Element);
    const item = (event.target as Element).closest("li");
    const button = item?.querySelector("button") as HTMLButtonElement;
    // The plan that it may have suggested is chosen no more.
    button.textContent = button.dataset["add"] as string;
    button.value = "";
    button.disabled = !item?.querySelector("[data-terms] :checked");
  }

  async #click(target: EventTarget | null) {
    const button = (target as Element).closest("button");
    const item = button?.closest("li");
    const input = button?.value
      ? button
      : item?.querySelector<HTMLInputElement>("[data-terms] input:checked");
    const line = this.#lines.find(({ key }) => key === item?.dataset["key"]);
    const offer = line && this.catalogue.offersFor(line).find(({ variant }) => variant === input?.value);
    if (line && button?.matches("[data-decline]")) {
      remember("chosen", line.variant, "none");
      publish("declined", this.#data.touchpoint, line.variant);
      item?.querySelector("details")?.removeAttribute("open");
      void this.show(this.#lines);
    }
    if (!button || !offer) return;
    button.disabled = true;
    const choice = {
      variant: line.variant,
      offer,
      consent: `${this.#data.consent} ${new Date().toJSON()}`,
    };
    // What the shopper saw is what the consent is for.
    const quantity = uninsuredItems(line, this.#lines);
    const done = await changeCart(() => insure(line, quantity, choice, this.#data.touchpoint));
    if (done) this.#focus(line.variant, 20);
    else {
      button.disabled = false;
      if (document.activeElement?.matches("body, dialog")) button.focus();
    }
  }

  /**
   * The button is gone: moves the focus to the new plan, or to the offer where it was refused, also when the theme renders
   * its cart a little later.
   */
  #focus(variant: string, tries: number) {
    // Focusing an element in a closed drawer does nothing.
    for (const place of ["[data-insured]", "summary"])
      for (const next of document.querySelectorAll<HTMLElement>(`[data-key^="${variant}:"] ${place}`))
        if (document.activeElement?.matches("body, dialog")) next.focus();
    if (tries) setTimeout(() => this.#focus(variant, tries - 1), 100);
  }

  /** Corrects what the theme has drawn, puts the drawer's panel into the theme's drawer, and hides a panel that has nothing to say. */
  place() {
    if (this.#lines.some(isPlan)) hidePrintedProperties();
    // Where insurance was taken out because none may be sold, it says so without a row.
    const isTold = this.catalogue.isStopped && this.#lines.length && said === this.texts["adjusted"];
    this.hidden =
      (this.#drawer && !placeInDrawer(this, this.dataset["drawer"])) ||
      !(isTold || this.querySelector("[data-lines] > *"));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "parasol-cart": ParasolCart;
  }
}

if (!customElements.get("parasol-cart")) customElements.define("parasol-cart", ParasolCart);
for (const panel of document.querySelectorAll("parasol-cart")) panel.start();
repeatAnnouncement();
loadPlacedOffers();
onRefresh(() => {
  loadPlacedOffers();
  for (const panel of document.querySelectorAll("parasol-cart")) panel.place();
  scheduleSync();
});
// A drawer that was hidden in place takes the focus when it opens.
addEventListener("focusin", () => {
  for (const panel of panels) panel.noteSeen();
});
