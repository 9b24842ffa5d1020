/**
 * The offer on the product page. Liquid has rendered it; this follows the selected variant, keeps the choice and opens
 * the dialog. add-to-cart.ts adds the chosen plan to the theme's own request.
 */
import { surfaceOf } from "./surface.ts";
import { type Band, type Choice, type Offer, offersFor } from "./offers.ts";
import { openFormula, renderTerms } from "./terms.ts";
import { recall, remember } from "./memory.ts";
import { choices } from "./add-to-cart.ts";
import { productForms } from "./intercept-form.ts";
import "./intercept-fetch.ts";
import "./intercept-xhr.ts";
import type * as Proxy from "./proxy.ts";

/** What blocks/product-offer.liquid embeds. */
interface Data {
  product: string;
  /**
   * Product prices by variant id, -1 where it is sold out: Liquid knows the first 250 variants and the selected one.
   * Null where only the app knows the offers. And -1 for "".
   */
  prices: Record<string, number | null>;
  /** the product has variants that Liquid does not know: then any form may be its own */
  more: boolean;
  bands: Band[];
  currency: string;
  /** the merchant's order of terms */
  order: number[];
  consent: string;
  /** open the dialog when the product is added without a choice */
  ask: boolean;
}

/** It is a file beside this script, and most pages never need it. */
const proxyAsset = "./parasol-proxy.js";

class ParasolOffer extends HTMLElement {
  #script = this.querySelector("script") as HTMLScriptElement;
  #data = JSON.parse(this.#script.text) as Data;
  /** The format "section" shows what it covers in place, and has none. */
  #dialog = this.querySelector("dialog");
  #variant = "";
  #offers: Offer[] = [];
  /** of the theme's quantity field: prices are totals */
  #pieces = 0;

  constructor() {
    super();
    // In the dialog a choice counts once it is confirmed there.
    this.addEventListener("change", ({ target }) => {
      openFormula(target);
      if ((target as Element).closest("dialog")) this.#showChoice();
      else this.#choose(target as HTMLInputElement);
    });
    // The second click of a double click that opened the dialog is on the backdrop: it would close the dialog unread.
    this.addEventListener("click", ({ detail, target }) => detail < 2 && this.#click(target));
    // Closing the dialog with Escape keeps the choice as it was.
    this.addEventListener("close", () => this.#showChoice(), true);
  }

  /** The theme's selected variant may have changed, or its form may be a new one. */
  followVariant() {
    // Liquid's is disabled, also where a theme patches the page with a fresh rendering: for one item, nothing chosen.
    const rendered = this.querySelectorAll<HTMLFieldSetElement>("fieldset:disabled");
    rendered.forEach((set) => (set.disabled = false));
    const data = JSON.parse(this.#script.text) as Data;
    // Horizon replaces the page's product in place: a choice for the previous one is dropped.
    if (data.product !== this.#data.product) this.#setChoice();
    this.#data = data;
    // The page has forms of other products, too: recommendations, quick-add windows. The nearest of this product counts,
    // but after it a form without a button: themes have one for the terms of payment by instalments.
    let input: HTMLInputElement | undefined;
    for (const kind of [":has(button)", ""])
      for (let part = this.parentElement; part && !input; part = part.parentElement)
        input = [...part.querySelectorAll<HTMLInputElement>(`${productForms}${kind} [name=id]`)].find(
          ({ value }) => value in data.prices || data.more,
        );
    if (!input?.form) return;
    const pieces = +(new FormData(input.form).get("quantity") as string) || 1;
    const id = input.value;
    const isSame = id === this.#variant && !rendered[0];
    if (isSame && pieces === this.#pieces) return;
    this.#variant = id;
    this.#pieces = pieces;
    if (data.prices[id] != null) this.#render(offersFor(data.bands, data.prices[id], data.order));
    else if (!isSame) void this.#fetch();
    // The offers are the same for any quantity; those under way are shown for this one.
    else if (!this.ariaBusy) this.#render(this.#offers);
  }

  /**
   * Fetches offers that only the app knows; until then none are shown, because those of another variant would be wrong.
   * Without its response there is no offer, and the shop works as usual.
   */
  async #fetch() {
    const variant = this.#variant;
    this.ariaBusy = "true";
    const offers = await (import(/* @vite-ignore */ proxyAsset) as Promise<typeof Proxy>)
      .then((proxy) => proxy.fetchVariant(this.#data, variant))
      .catch(() => []);
    if (variant === this.#variant) this.#render(offers);
  }

  #render(offers: Offer[]) {
    this.#offers = offers;
    renderTerms(this, offers, this.#script.dataset, this.#pieces);
    // A button or bar over the page that the shopper has closed stays away for the visit.
    this.hidden = !offers[0] || !!(recall("away")[""] && this.querySelector("[value=away]"));
    this.ariaBusy = null;
    const before = choices.get(this.#data.product);
    // A choice is consent to a price: it holds for the same plan only.
    if (before) {
      const same = offers.find((offer) => offer[4] === before.offer[4]);
      this.#setChoice(same && { ...before, variant: this.#variant, offer: same });
      if (!same) this.#setStatus("changed");
    } else this.#showChoice();
  }

  #choose(input: HTMLInputElement | null) {
    const offer = input?.checked && this.#offers.find((each) => each[3] === input.value);
    this.#setChoice(
      offer
        ? { variant: this.#variant, offer, consent: `${this.#data.consent} ${new Date().toJSON()}` }
        : undefined,
    );
  }

  #setChoice(choice?: Choice) {
    // A theme can add the product past this script (a synchronous request, for example): then the cart offers the plan.
    // What was chosen for the variant before is over.
    remember("chosen", choices.get(this.#data.product)?.variant);
    remember("chosen", this.#variant, choice?.offer[4]);
    if (choice)
      choices.set(this.#data.product, {
        ...choice,
        finish: (isInsured) => this.#finishChoice(choice, isInsured),
      });
    else choices.delete(this.#data.product);
    eachBlock((block) => {
      block.#setStatus("");
      block.#showChoice();
    });
  }

  /** The product is in the cart. A choice that was made in the meantime stays: it is for the next one. */
  #finishChoice({ variant, offer, consent }: Choice, isInsured: boolean) {
    if (choices.get(this.#data.product)?.consent === consent) this.#setChoice();
    if (isInsured) return;
    // The cart offers it again.
    remember("chosen", variant, offer[4]);
    this.#setStatus("refused");
  }

  /** Shows the choice, whichever block it was made in. */
  #showChoice() {
    // For statistics: the cart's script notes it once the product is in the cart.
    if (!this.hidden) remember("shown", this.#variant, "1");
    this.style.setProperty("--p-surface", surfaceOf(this));
    const choice = choices.get(this.#data.product);
    for (const input of this.querySelectorAll<HTMLInputElement>("fieldset input:not(dialog[open] *)")) {
      const at = input.closest(".parasol__formula") ? 5 : 3;
      // Without a choice the open formula stays open, and "no insurance" stays checked.
      if (choice || (at === 3 && input.value)) input.checked = input.value === choice?.offer[at];
    }
    this.#showTabs();
    const picked = this.querySelector("dialog [data-terms] :checked")?.parentElement;
    this.querySelector("[data-buy]")?.toggleAttribute("disabled", !picked);
    this.querySelector("[data-picked]")?.replaceChildren(picked?.textContent ?? "");
    // The style sheet then hides what goes past the cart and would lose the choice: buy now, express checkouts.
    this.toggleAttribute("data-chosen", !!choice);
  }

  /**
   * The tabs of the formulas. Which one is open is in their radios, which the format hides: without any open, the first.
   * Arrow keys, Home and End open another one, as the pattern of tabs has it; that chooses nothing.
   */
  #showTabs() {
    const radios = [...this.querySelectorAll<HTMLInputElement>("[role=tablist] + * .parasol__formula input")];
    const open = radios.find(({ checked }) => checked) ?? radios[0];
    if (!open) return;
    const list = this.querySelector("[role=tablist]") as Element;
    open.checked = true;
    const tabs = radios.map((radio, at) => {
      const tab = (list.children[at] ?? list.children[0]?.cloneNode()) as HTMLElement;
      tab.textContent = (radio.parentElement as Element).textContent.trim();
      tab.ariaSelected = `${radio.checked}`;
      tab.tabIndex = +radio.checked - 1;
      tab.onclick = () => radio.click();
      tab.onkeydown = (event) => {
        const next = { Home: 0, End: -1, ArrowLeft: at - 1, ArrowRight: at + 1 }[event.key];
        if (next === undefined) return;
        event.preventDefault();
        radios.at(next % tabs.length)?.click();
        tabs.at(next % tabs.length)?.focus();
      };
      return tab;
    });
    // Only then: a tab that is put back loses the focus.
    if (tabs.length !== list.childElementCount) list.replaceChildren(...tabs);
  }

  /** ✕ and the backdrop, where the click is on the dialog itself, close it as Escape does. */
  #click(target: EventTarget | null) {
    const button = (target as Element).closest("button");
    const value = button?.value;
    if (value === "open") this.#dialog?.showModal();
    else if (value === "away") {
      remember("away", "", "1");
      this.#render(this.#offers);
    } else if (button || target === this.#dialog) {
      if (value) this.#choose(value === "buy" ? this.querySelector("dialog [data-terms] :checked") : null);
      this.#dialog?.close();
    }
  }

  openBeforeAdding(event: SubmitEvent) {
    const form = event.target as HTMLFormElement;
    const { product, ask } = this.#data;
    if (
      !ask ||
      // Hidden, perhaps by the theme: Horizon's quick-add window hides apps. A window in there would not be seen.
      !this.getClientRects()[0] ||
      this.ariaBusy ||
      choices.get(product) ||
      !form.matches(productForms) ||
      new FormData(form).get("id") !== this.#variant ||
      recall("asked")[product] ||
      Object.keys(recall("declined"))[1]
    )
      return;
    remember("asked", product, "1");
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#dialog?.addEventListener(
      "close",
      () => {
        if (!choices.get(product)) remember("declined", product, "1");
        form.requestSubmit(event.submitter);
      },
      { once: true },
    );
    this.#dialog?.showModal();
  }

  #setStatus(text: "changed" | "refused" | "") {
    this.querySelector("[role=status]")?.replaceChildren(this.#script.dataset[text] ?? "");
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "parasol-offer": ParasolOffer;
  }
}

/** The page's blocks; themes redraw them. */
const eachBlock = (act: (block: ParasolOffer) => void) =>
  document.querySelectorAll("parasol-offer").forEach(act);
const follow = () => eachBlock((block) => block.followVariant());

customElements.define("parasol-offer", ParasolOffer);
follow();
// The whole page: a block can be in a section of its own, without the form.
new MutationObserver(follow).observe(document, {
  subtree: true,
  childList: true,
  attributeFilter: ["value", "disabled"],
});
addEventListener("change", follow);
// While the shopper types a quantity: what changes only at the next click would move the terms under the pointer.
addEventListener("input", follow);
// Before the theme's own listener, also where that is on the document.
addEventListener("submit", (event) => eachBlock((block) => block.openBeforeAdding(event)), true);
