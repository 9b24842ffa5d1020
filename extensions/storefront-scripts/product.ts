/**
 * The offer on the product page. Liquid has rendered it; this follows the selected variant, keeps the choice and opens
 * the dialog. add-to-cart.ts adds the chosen plan to the theme's own request.
 */
import { choices, productForms } from "./add-to-cart.ts";
import { type Band, type Choice, type Offer, offersFor } from "./offers.ts";
import { offersInResponse, fetchOffers } from "./proxy.ts";
import { renderTerms } from "./terms.ts";

/** What blocks/product-offer.liquid embeds. */
interface Data {
  product: string;
  /** product prices by variant id */
  prices: Record<string, number>;
  bands: Band[];
  live: boolean;
  currency: string;
  /** the merchant's order of terms */
  order: number[];
  consent: string;
  /** ask in the dialog when the product is added without a choice */
  ask: boolean;
  /** the format shows one term only */
  one: boolean;
}

const toggled = "parasol";

class ParasolOffer extends HTMLElement {
  #script = this.querySelector("script") as HTMLScriptElement;
  #data = JSON.parse(this.#script.text) as Data;
  #dialog = this.querySelector("dialog");
  /** The terms are in the dialog: a choice counts when it is confirmed there. */
  #inDialog = !!this.#dialog?.querySelector("fieldset");
  #variant = this.dataset["variant"];
  #listeners?: AbortController;
  /** Submits the theme's form again once the dialog is closed. */
  #pendingSubmit?: (() => void) | undefined;

  connectedCallback() {
    const on = { signal: (this.#listeners = new AbortController()).signal };
    const section = this.closest(".shopify-section") ?? document.body;
    const follow = () => this.#followVariant(section);
    const observer = new MutationObserver(follow);
    observer.observe(section, { subtree: true, childList: true, attributeFilter: ["value", "disabled"] });
    on.signal.onabort = () => observer.disconnect();
    section.addEventListener("change", follow, on);
    this.addEventListener(
      "change",
      (event) => (this.#inDialog ? this.#showChoice() : this.#choose(event.target as HTMLInputElement)),
      on,
    );
    this.addEventListener("click", (event) => this.#click(event.target), on);
    this.#dialog?.addEventListener("close", () => this.#afterDialog(), on);
    document.addEventListener(toggled, () => this.#showChoice(), on);
    if (this.#data.ask)
      document.addEventListener("submit", (event) => this.#openBeforeAdding(event), { capture: true, ...on });
    follow();
    if (this.#data.live) void this.#fetch();
    this.#showChoice();
  }

  disconnectedCallback() {
    this.#listeners?.abort();
  }

  /** The theme's selected variant may have changed, or its form may be a new one. */
  #followVariant(section: Element) {
    // Liquid's are disabled, also where a theme patches the page with a fresh rendering.
    for (const set of this.querySelectorAll("fieldset")) set.disabled = false;
    const data = JSON.parse(this.#script.text) as Data;
    // Horizon turns the page into another product's in place: a choice for the former one is over.
    if (data.product !== this.#data.product) this.#setChoice();
    this.#data = data;
    const input = section.querySelector<HTMLInputElement>(`${productForms} [name="id"]`);
    const id = input?.value ?? "";
    if (!input?.form || (id && !(id in this.#data.prices))) return;
    if (!input.form.querySelector('[name*="_parasol_offered"]'))
      input.insertAdjacentHTML(
        "afterend",
        "<input type=hidden name=properties[_parasol_offered] value=product_page>",
      );
    if (id === this.#variant) return;
    this.#variant = id;
    if (this.#data.live) void this.#fetch();
    else this.#render(offersFor(this.#data.bands, this.#data.prices[id] ?? -1, this.#data.order));
  }

  /** Fetches offers that only the app knows. Without its response there is no offer, and the shop works as usual. */
  async #fetch() {
    const variant = this.#variant ?? "";
    const response = await fetchOffers([variant]);
    if (variant === this.#variant) this.#render(offersInResponse(response, variant, this.#data.currency));
  }

  #render(offers: Offer[]) {
    const { currency, one, product } = this.#data;
    renderTerms(this, one ? offers.slice(0, 1) : offers, currency, this.#script.dataset);
    this.hidden = !offers.length;
    const before = choices.get(product);
    if (!before) return;
    // A choice is consent to a price: it holds for the same plan only.
    const same = offers.find(([, , , , reference]) => reference === before.reference);
    if (!same) this.#setStatus("changed");
    this.#setChoice(same && { ...before, variant: this.#variant ?? "", plan: same[3] });
  }

  #choose(input: HTMLInputElement | null) {
    const reference = input?.checked && input.dataset["reference"];
    this.#setChoice(
      reference
        ? {
            variant: this.#variant ?? "",
            plan: input.value,
            reference,
            consent: `${this.#data.consent} ${new Date().toISOString()}`,
          }
        : undefined,
    );
  }

  #setChoice(choice?: Choice) {
    if (choice) choices.set(this.#data.product, { ...choice, refused: () => this.#setStatus("refused") });
    else choices.delete(this.#data.product);
    document.dispatchEvent(new Event(toggled));
  }

  /** Shows the choice, whichever block it was made in. */
  #showChoice() {
    this.style.setProperty("--p-surface", surfaceOf(this));
    const choice = choices.get(this.#data.product);
    if (!this.#dialog?.open || !this.#inDialog)
      for (const input of this.querySelectorAll<HTMLInputElement>("fieldset input")) {
        const { reference } = input.dataset;
        input.checked = reference ? reference === choice?.reference : input.checked && !choice;
      }
    const row = this.querySelector("[data-reference]:checked")?.closest("label");
    this.querySelector("[data-buy]")?.toggleAttribute("disabled", !row);
    this.querySelector("[data-picked]")?.replaceChildren(row?.innerText ?? "");
    this.toggleAttribute("data-chosen", !!choice);
    // The style sheet hides what goes past the cart and would lose the choice: buy now, express checkouts.
    document.documentElement.toggleAttribute("data-parasol", !!choices.size);
  }

  #click(target: EventTarget | null) {
    const button = (target as Element).closest("button");
    if (button?.matches("[data-open]")) this.#dialog?.showModal();
    else if (button) {
      if (this.#inDialog) this.#choose(button.value ? this.querySelector("[data-reference]:checked") : null);
      this.#dialog?.close();
      this.#afterDialog();
    }
  }

  /** Closing the dialog with Escape keeps the choice as it was. */
  #afterDialog() {
    this.#showChoice();
    const go = this.#pendingSubmit;
    this.#pendingSubmit = undefined;
    if (go && !this.matches("[data-chosen]"))
      sessionStorage["parasol-declined"] = (Number(sessionStorage["parasol-declined"]) || 0) + 1;
    go?.();
  }

  /** Opens the dialog once per product and visit, and no more after two refusals. */
  #openBeforeAdding(event: SubmitEvent) {
    const form = event.target as HTMLFormElement;
    const asked = `parasol-asked-${this.#data.product}`;
    if (
      this.hidden ||
      choices.has(this.#data.product) ||
      !this.#ownsForm(form) ||
      sessionStorage[asked] ||
      sessionStorage["parasol-declined"] > 1
    )
      return;
    sessionStorage[asked] = 1;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#pendingSubmit = () => form.requestSubmit(event.submitter);
    this.#dialog?.showModal();
  }

  #ownsForm(form: HTMLFormElement) {
    return form.matches(productForms) && (new FormData(form).get("id") as string) in this.#data.prices;
  }

  #setStatus(text: "changed" | "refused") {
    this.querySelector("[role=status]")?.replaceChildren(this.#script.dataset[text] ?? "");
  }
}

/** The background for elements above the page: the nearest one of the theme that is not transparent. */
function surfaceOf(element: Element): string {
  const { backgroundColor } = getComputedStyle(element);
  return element.parentElement && / 0\)/.test(backgroundColor)
    ? surfaceOf(element.parentElement)
    : backgroundColor;
}

customElements.define("parasol-offer", ParasolOffer);
