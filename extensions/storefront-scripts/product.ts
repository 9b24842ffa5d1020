/**
 * The offer on the product page. Liquid has rendered it; this follows the selected variant, keeps the choice and opens
 * the dialog. add-to-cart.ts adds the chosen plan to the theme's own request.
 */
import { choices, productForms } from "./add-to-cart.ts";
import { mayAsk, noteDecline } from "./asking.ts";
import { remember } from "./memory.ts";
import { type Band, type Choice, type Offer, offersFor } from "./offers.ts";
import type * as Proxy from "./proxy.ts";
import { surfaceOf } from "./surface.ts";
import { renderTerms } from "./terms.ts";

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
  /** ask in the dialog when the product is added without a choice */
  ask: boolean;
  /** the format shows one term only */
  one: boolean;
  /** path of the app proxy */
  proxy: string;
}

const toggled = "parasol";
/** It stands beside this script, and most pages never need it. */
const proxyAsset = "./parasol-proxy.js";

class ParasolOffer extends HTMLElement {
  #script = this.querySelector("script") as HTMLScriptElement;
  #data = JSON.parse(this.#script.text) as Data;
  #dialog = this.querySelector("dialog") as HTMLDialogElement;
  /** The terms are in the dialog: a choice counts when it is confirmed there. */
  #inDialog = !!this.querySelector("dialog fieldset");
  #variant = "";
  #offers: Offer[] = [];
  /** of the theme's quantity field: prices are totals */
  #pieces = 0;
  #listeners?: AbortController;
  /** Submits the theme's form again once the dialog is closed. */
  #pendingSubmit?: (() => void) | undefined;

  connectedCallback() {
    const on = { signal: (this.#listeners = new AbortController()).signal };
    const follow = () => this.#followVariant();
    const observer = new MutationObserver(follow);
    // The whole page: the block can stand in a section of its own, without the form.
    observer.observe(document, { subtree: true, childList: true, attributeFilter: ["value", "disabled"] });
    on.signal.onabort = () => observer.disconnect();
    document.addEventListener("change", follow, on);
    this.addEventListener(
      "change",
      ({ target }) => (this.#inDialog ? this.#showChoice() : this.#choose(target as HTMLInputElement)),
      on,
    );
    this.addEventListener("click", ({ target }) => this.#click(target), on);
    this.#dialog.addEventListener("close", () => this.#afterDialog(), on);
    document.addEventListener(toggled, () => this.#showChoice(), on);
    if (this.#data.ask)
      document.addEventListener("submit", (event) => this.#openBeforeAdding(event), { capture: true, ...on });
    follow();
  }

  disconnectedCallback() {
    this.#listeners?.abort();
  }

  /** The theme's selected variant may have changed, or its form may be a new one. */
  #followVariant() {
    // Liquid's are disabled, also where a theme patches the page with a fresh rendering.
    for (const set of this.querySelectorAll("fieldset")) set.disabled = false;
    const data = JSON.parse(this.#script.text) as Data;
    // Horizon turns the page into another product's in place: a choice for the former one is over.
    if (data.product !== this.#data.product) this.#setChoice();
    this.#data = data;
    // The page has forms of other products, too: recommendations, quick-add windows. The nearest of this product counts.
    let input: HTMLInputElement | undefined;
    for (let part = this.parentElement; part && !input; part = part.parentElement)
      input = [...part.querySelectorAll<HTMLInputElement>(`${productForms} [name=id]`)].find(
        ({ value }) => value in data.prices || data.more,
      );
    if (!input?.form) return;
    const pieces = Number(new FormData(input.form).get("quantity")) || 1;
    const id = input.value;
    if (id === this.#variant && pieces === this.#pieces) return;
    this.#variant = id;
    this.#pieces = pieces;
    if (data.prices[id] == null) void this.#fetch();
    else this.#render(offersFor(data.bands, data.prices[id], data.order));
  }

  /**
   * Fetches offers that only the app knows; until then none are shown, because those of another variant would be wrong.
   * Without its response there is no offer, and the shop works as usual.
   */
  async #fetch() {
    const variant = this.#variant;
    this.ariaBusy = "true";
    const offers = await (import(/* @vite-ignore */ proxyAsset) as Promise<typeof Proxy>)
      .then(({ fetchVariant }) => fetchVariant(this.#data, variant))
      .catch(() => []);
    if (variant === this.#variant) this.#render(offers);
  }

  #render(offers: Offer[]) {
    const { one, product } = this.#data;
    this.#offers = offers;
    renderTerms(this, offers.slice(0, one ? 1 : 99), this.#script.dataset, this.#pieces);
    this.hidden = !offers.length;
    this.ariaBusy = null;
    const before = choices.get(product);
    // A choice is consent to a price: it holds for the same plan only.
    const same = before && offers.find((offer) => offer[4] === before.offer[4]);
    if (before) {
      if (!same) this.#setStatus("changed");
      this.#setChoice(same && { ...before, variant: this.#variant, offer: same });
    } else this.#showChoice();
  }

  #choose(input: HTMLInputElement | null) {
    const offer = input?.checked && this.#offers.find((each) => each[4] === input.dataset["reference"]);
    this.#setChoice(
      offer
        ? { variant: this.#variant, offer, consent: `${this.#data.consent} ${new Date().toISOString()}` }
        : undefined,
    );
  }

  #setChoice(choice?: Choice) {
    // A theme can add the product past our request (XMLHttpRequest, a plain form): then the cart offers the plan again.
    // What was chosen for the variant before is over.
    remember("chosen", choices.get(this.#data.product)?.variant);
    remember("chosen", this.#variant, choice?.offer[4]);
    if (choice) choices.set(this.#data.product, { ...choice, refused: () => this.#setStatus("refused") });
    else choices.delete(this.#data.product);
    document.dispatchEvent(new Event(toggled));
  }

  /** Shows the choice, whichever block it was made in. */
  #showChoice() {
    // For statistics: the cart's script notes it once the product is in the cart.
    if (!this.hidden) remember("shown", this.#variant, "1");
    this.style.setProperty("--p-surface", surfaceOf(this));
    const choice = choices.get(this.#data.product);
    if (!this.#dialog.open || !this.#inDialog)
      for (const input of this.querySelectorAll<HTMLInputElement>("fieldset input")) {
        const { reference } = input.dataset;
        input.checked = reference ? reference === choice?.offer[4] : input.checked && !choice;
      }
    // Price and billing, which names the term.
    const picked = this.querySelector("[data-reference]:checked ~ bdi");
    this.querySelector("[data-buy]")?.toggleAttribute("disabled", !picked);
    this.querySelector("[data-picked]")?.replaceChildren(picked?.textContent ?? "");
    this.toggleAttribute("data-chosen", !!choice);
    // The style sheet hides what goes past the cart and would lose the choice: buy now, express checkouts.
    document.documentElement.toggleAttribute("data-parasol", !!choices.size);
  }

  /** ✕ and the backdrop, where the click is on the dialog itself, close it as Escape does. */
  #click(target: EventTarget | null) {
    const button = (target as Element).closest("button");
    const value = button?.value;
    if (button?.matches("[data-open]")) this.#dialog.showModal();
    else if (button || target === this.#dialog) {
      if (value) this.#choose(value === "buy" ? this.querySelector("[data-reference]:checked") : null);
      this.#dialog.close();
      this.#afterDialog();
    }
  }

  /** Closing the dialog with Escape keeps the choice as it was. */
  #afterDialog() {
    this.#showChoice();
    const go = this.#pendingSubmit;
    this.#pendingSubmit = undefined;
    if (go && !choices.has(this.#data.product)) noteDecline();
    go?.();
  }

  #openBeforeAdding(event: SubmitEvent) {
    const form = event.target as HTMLFormElement;
    const { product } = this.#data;
    if (
      this.hidden ||
      this.ariaBusy ||
      choices.has(product) ||
      !form.matches(productForms) ||
      new FormData(form).get("id") !== this.#variant ||
      !mayAsk(product)
    )
      return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#pendingSubmit = () => form.requestSubmit(event.submitter);
    this.#dialog.showModal();
  }

  #setStatus(text: "changed" | "refused") {
    this.querySelector("[role=status]")?.replaceChildren(this.#script.dataset[text] as string);
  }
}

customElements.define("parasol-offer", ParasolOffer);
