/**
 * The offer on the product page. Liquid has rendered it; this follows the selected variant, keeps the choice and opens
 * the dialog. add-to-cart.ts adds the chosen plan to the theme's own request.
 */
import { offersFor } from "../catalogue.ts";
import { type Asking, asking, choices } from "./add-to-cart.ts";
import { countRefusal, hasDeclined, isDeclined, recall, refusals, remember } from "./memory.ts";
import "./parasol-tabs.ts";
import type { Choice } from "./plan-item.ts";
import type * as Proxy from "./proxy.ts";
import { publish } from "./publish-event.ts";
import { root } from "./root.ts";
import { productForms, SelectedVariant } from "./selected-variant.ts";
import type { ShownBand, ShownOffer } from "./shown-offer.ts";
import { whenRecordable } from "./statistics-consent.ts";
import { surfaceOf } from "./surface.ts";
import { clearHiddenTerms, renderTerms } from "./terms.ts";

/** What snippets/parasol-product-data.liquid embeds. */
interface ProductData {
  product: string;
  /** the selected one, as Liquid knows it */
  variant: string;
  /** by id: the first 250 variants, and the selected one */
  variants: Record<string, { price: number; available: boolean | null }>;
  /** the product has more variants than these */
  hasMore: boolean;
  /** only the app knows the offers */
  live: boolean;
  bands: ShownBand[];
  currency: string;
  /** the merchant's order of terms */
  order: number[];
  /** version of the consent text */
  consent: string;
  /** the dialog opens when a product is added without a choice: for `each` product, or `once` in a visit */
  asks: "each" | "once" | "";
}

/** It is a file beside this script, and most pages never need it. */
const proxyAsset = "./parasol-proxy.js";

/** Products of which the theme has selected a variant: before that, Liquid's is shown. */
const picked = new Set<string>();

class ParasolOffer extends HTMLElement implements Asking {
  #abort = new AbortController();
  #selected = new SelectedVariant(this);
  #data: ProductData | undefined;
  #variant = "";
  #offers: ShownOffer[] = [];
  /** of the theme's quantity field: prices are totals */
  #pieces = 0;
  /** variants whose offer was shown */
  #shown = new Set<string>();

  connectedCallback() {
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const product = this.getAttribute("product");
    if (product && !this.#script) void this.#load(product);
    this.addEventListener("change", (event) => this.#change(event.target as HTMLInputElement), { signal });
    // The second click of a double click that opened the dialog is on the backdrop: it would close the dialog unread.
    this.addEventListener("click", ({ detail, target }) => detail < 2 && this.#click(target as Element), {
      signal,
    });
    // Closing the dialog with Escape keeps the choice as it was. The event does not bubble.
    this.addEventListener("close", () => this.#showChoice(), { signal, capture: true });
  }

  disconnectedCallback() {
    this.#abort.abort();
    asking.delete(this);
  }

  /**
   * Fills an element that someone has placed, `<parasol-offer product="…">`, with the offer of that product's page.
   * @param product handle
   */
  async #load(product: string) {
    const response = await fetch(`${root}products/${encodeURIComponent(product)}`).catch(() => undefined);
    if (!response?.ok || this.#script) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const offer = page.querySelector("parasol-offer:has(script)");
    const style = page.querySelector("style[data-parasol]");
    // No offer for the product, or no block on its page.
    if (!offer) return;
    if (style && !document.querySelector("style[data-parasol]")) document.head.append(style);
    this.hidden = offer.hasAttribute("hidden");
    this.replaceChildren(...offer.childNodes);
    this.followVariant();
  }

  /** The theme's selected variant may have changed, or its form may be a new one. */
  followVariant() {
    const script = this.#script;
    if (!script) return;
    const data = JSON.parse(script.text) as ProductData;
    // Horizon replaces the page's product in place: a choice for the previous one is dropped.
    if (this.#data && data.product !== this.#data.product) this.#setChoice();
    this.#data = data;
    if (data.asks) asking.add(this);
    // Liquid's is disabled, also where a theme patches the page with a fresh rendering: for one item, nothing chosen.
    const rendered = [...this.querySelectorAll<HTMLFieldSetElement>("fieldset:disabled")];
    const selected = this.#selected.read((id) => id !== "" && (id in data.variants || data.hasMore));
    if (selected) picked.add(data.product);
    const variant = selected || picked.has(data.product) ? (selected ?? this.#variant) : data.variant;
    const pieces = this.#selected.quantity;
    for (const fields of rendered) fields.disabled = false;
    const isSame = variant === this.#variant && !rendered.length;
    if (isSame && pieces === this.#pieces) return;
    this.#variant = variant;
    this.#pieces = pieces;
    const known = data.variants[variant];
    if (!variant || known?.available === false) this.#render([]);
    else if (known && !data.live) this.#render(offersFor(data.bands, known.price, data.order));
    else if (!isSame) void this.#fetch(data, variant);
    // The offers are the same for any quantity; those under way are shown for this one.
    else if (!this.ariaBusy) this.#render(this.#offers);
  }

  /** Asks before the product is added: never after a no, and no more once the shopper has refused twice. */
  openBeforeAdding(variant: string, onClose: () => void): boolean {
    const data = this.#data;
    const dialog = this.#dialog;
    if (
      !dialog ||
      !data?.asks ||
      variant !== this.#variant ||
      // Hidden, perhaps by the theme: Horizon's quick-add window hides apps. A window in there would not be seen.
      !this.getClientRects()[0] ||
      this.ariaBusy ||
      choices.has(data.product) ||
      hasDeclined() ||
      recall("asked")[data.asks === "each" ? data.product : "any"] ||
      refusals() > 1
    )
      return false;
    remember("asked", data.product, "1");
    remember("asked", "any", "1");
    const close = () => {
      if (!choices.has(data.product)) countRefusal();
      onClose();
    };
    dialog.addEventListener("close", close, { once: true });
    dialog.showModal();
    return true;
  }

  get #script() {
    return this.querySelector<HTMLScriptElement>("script");
  }

  /** The format "section" shows what it covers in place, and has none. */
  get #dialog() {
    return this.querySelector("dialog");
  }

  get #choice() {
    return choices.get(this.#data?.product ?? "");
  }

  /**
   * Fetches offers that only the app knows; until then none are shown, because those of another variant would be wrong.
   * Without its response there is no offer, and the shop works as usual.
   */
  async #fetch(data: ProductData, variant: string) {
    this.ariaBusy = "true";
    const offers = await (import(/* @vite-ignore */ proxyAsset) as Promise<typeof Proxy>)
      .then((proxy) => proxy.fetchVariant(data, variant))
      .catch(() => []);
    if (variant === this.#variant) this.#render(offers);
  }

  #render(offers: ShownOffer[]) {
    this.#offers = offers;
    renderTerms(this, offers, this.#script?.dataset ?? {}, this.#pieces);
    // A button or bar over the page that the shopper has closed stays away for the visit.
    this.hidden = !offers.length || !!(recall("away")[""] && this.querySelector("[value=away]"));
    this.ariaBusy = null;
    const previous = this.#choice;
    if (!previous) {
      this.#showChoice();
      return;
    }
    // A choice is consent to a price: it holds for the same plan only.
    const offer = offers.find(({ reference }) => reference === previous.offer.reference);
    this.#setChoice(offer && { ...previous, variant: this.#variant, offer });
    if (!offer) this.#setStatus("changed");
  }

  #change(input: HTMLInputElement) {
    clearHiddenTerms(input);
    // In the dialog a choice counts once it is confirmed there.
    if (input.closest("dialog")) this.#showChoice();
    else this.#choose(input);
  }

  /** × and the backdrop, where the click is on the dialog itself, close it as Escape does. */
  #click(target: Element) {
    const button = target.closest("button");
    const answer = button?.value;
    if (answer === "open") this.#dialog?.showModal();
    if (answer === "buy") this.#choose(this.#pickedInDialog);
    if (answer === "none") this.#choose(null);
    // After a no, a button or bar over the page would ask again.
    if (answer === "none" || answer === "away") {
      remember("away", "", "1");
      this.#render(this.#offers);
    }
    if (target === this.#dialog || button?.closest("dialog")) this.#dialog?.close();
  }

  #choose(input: HTMLInputElement | null) {
    const offer = input?.checked ? this.#offers.find(({ variant }) => variant === input.value) : undefined;
    const consent = `${this.#data?.consent ?? ""} ${new Date().toJSON()}`;
    // A checkbox that is unchecked is no answer.
    const answer = input?.value ? undefined : "none";
    if (offer || answer)
      publish(offer ? "chosen" : "declined", "product_page", this.#variant, offer?.reference);
    this.#setChoice(offer ? { variant: this.#variant, offer, consent } : undefined, answer);
  }

  #setChoice(choice?: Choice, answer?: "none") {
    const product = this.#data?.product ?? "";
    // A theme can add the product past this script (a synchronous request, for example): then the cart offers the plan.
    // What was chosen for the variant before is over.
    remember("chosen", choices.get(product)?.variant);
    remember("chosen", this.#variant, choice?.offer.reference ?? answer);
    if (choice) {
      const finish = (isInsured: boolean) => this.#finishChoice(choice, isInsured);
      choices.set(product, { ...choice, finish });
    } else choices.delete(product);
    for (const block of document.querySelectorAll("parasol-offer")) {
      block.#setStatus("");
      block.#showChoice();
    }
  }

  /** The product is in the cart. A choice that was made in the meantime stays: it is for the next one. */
  #finishChoice({ variant, offer, consent }: Choice, isInsured: boolean) {
    if (this.#choice?.consent === consent) this.#setChoice();
    if (isInsured) {
      publish("added", "product_page", variant, offer.reference);
      return;
    }
    // The cart offers it again.
    remember("chosen", variant, offer.reference);
    this.#setStatus("refused");
  }

  /** Shows the choice, whichever block it was made in. */
  #showChoice() {
    if (!this.hidden) this.#recordShown(this.#variant);
    this.style.setProperty("--p-surface", surfaceOf(this));
    const offer = this.#choice?.offer;
    for (const input of this.querySelectorAll<HTMLInputElement>("fieldset input:not(dialog[open] *)")) {
      const isFormula = !!input.closest("[data-formula]");
      // Without a choice the open formula stays open, and a "no" is remembered.
      if (offer) input.checked = input.value === (isFormula ? offer.formula : offer.variant);
      else if (!isFormula) input.checked = !input.value && isDeclined(this.#variant);
    }
    this.querySelector("parasol-tabs")?.update();
    const row = this.#pickedInDialog?.closest("[data-term]");
    this.querySelector("[data-buy]")?.toggleAttribute("disabled", !row);
    for (const place of this.querySelectorAll("[data-picked]")) place.textContent = row?.textContent ?? "";
    // The style sheet then hides what goes past the cart and would lose the choice: buy now, express checkouts.
    this.toggleAttribute("data-chosen", !!offer);
  }

  /** For statistics: the cart's script notes it once the product is in the cart. */
  #recordShown(variant: string) {
    if (this.#shown.has(variant)) return;
    this.#shown.add(variant);
    void whenRecordable(() => remember("shown", variant, "1"));
    publish("viewed", "product_page", variant);
  }

  get #pickedInDialog() {
    return this.querySelector<HTMLInputElement>("dialog [data-terms] :checked");
  }

  #setStatus(text: "changed" | "refused" | "") {
    this.querySelector("[role=status]")?.replaceChildren(this.#script?.dataset[text] ?? "");
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "parasol-offer": ParasolOffer;
  }
}

if (!customElements.get("parasol-offer")) customElements.define("parasol-offer", ParasolOffer);

/** Themes redraw their blocks: each is looked up when it is needed. */
export const offerBlocks = () => [...document.querySelectorAll("parasol-offer")];

/** Before the theme's own listener, also where that is on the document. */
export function openBeforeSubmit(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  if (!form.matches(productForms)) return;
  const variant = new FormData(form).get("id");
  if (typeof variant !== "string") return;
  const resubmit = () => form.requestSubmit(event.submitter);
  if (!offerBlocks().some((block) => block.openBeforeAdding(variant, resubmit))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
