/**
 * The offer on the product page. Liquid has rendered it; this follows the variant, keeps the choice and opens the
 * dialog. add-to-cart.ts takes the choice into the theme's own request.
 */
import { choices, productForms } from "./add-to-cart.ts";
import { type Band, type Choice, type Offer, offersFor } from "./offers.ts";
import { answeredOffers, askApp } from "./proxy.ts";
import { showTerms } from "./terms.ts";

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
  #stop?: AbortController;
  /** The theme's submission that waits for the dialog. */
  #waiting?: (() => void) | undefined;

  connectedCallback() {
    const on = { signal: (this.#stop = new AbortController()).signal };
    const section = this.closest(".shopify-section") ?? document.body;
    const follow = () => this.#follow(section);
    const observer = new MutationObserver(follow);
    observer.observe(section, { subtree: true, childList: true, attributeFilter: ["value", "disabled"] });
    on.signal.onabort = () => observer.disconnect();
    section.addEventListener("change", follow, on);
    this.addEventListener(
      "change",
      (event) => (this.#inDialog ? this.#show() : this.#take(event.target as HTMLInputElement)),
      on,
    );
    this.addEventListener("click", (event) => this.#click(event.target), on);
    this.#dialog?.addEventListener("close", () => this.#closed(), on);
    document.addEventListener(toggled, () => this.#show(), on);
    if (this.#data.ask)
      document.addEventListener("submit", (event) => this.#ask(event), { capture: true, ...on });
    follow();
    if (this.#data.live) void this.#fetch();
    this.#show();
  }

  disconnectedCallback() {
    this.#stop?.abort();
  }

  /** The theme's selected variant may have changed, or its form may be a new one. */
  #follow(section: Element) {
    // Liquid's are disabled, also where a theme patches the page with a fresh rendering.
    for (const set of this.querySelectorAll("fieldset")) set.disabled = false;
    const data = JSON.parse(this.#script.text) as Data;
    // Horizon turns the page into another product's in place: a choice for the former one is over.
    if (data.product !== this.#data.product) this.#set();
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

  /** Offers that only the app knows. Without its answer there is no offer, and the shop works on. */
  async #fetch() {
    const variant = this.#variant ?? "";
    const answer = await askApp([variant]);
    if (variant === this.#variant) this.#render(answeredOffers(answer, variant, this.#data.currency));
  }

  #render(offers: Offer[]) {
    const { currency, one, product } = this.#data;
    showTerms(this, one ? offers.slice(0, 1) : offers, currency, this.#script.dataset);
    this.hidden = !offers.length;
    const before = choices.get(product);
    if (!before) return;
    // A choice is a consent to a price: it holds for the same plan only.
    const same = offers.find(([, , , , reference]) => reference === before.reference);
    if (!same) this.#say("changed");
    this.#set(same && { ...before, variant: this.#variant ?? "", plan: same[3] });
  }

  #take(input: HTMLInputElement | null) {
    const reference = input?.checked && input.dataset["reference"];
    this.#set(
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

  #set(choice?: Choice) {
    if (choice) choices.set(this.#data.product, { ...choice, refused: () => this.#say("refused") });
    else choices.delete(this.#data.product);
    document.dispatchEvent(new Event(toggled));
  }

  /** Shows the choice, wherever it was made. */
  #show() {
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
      if (this.#inDialog) this.#take(button.value ? this.querySelector("[data-reference]:checked") : null);
      this.#dialog?.close();
      this.#closed();
    }
  }

  /** Shut with Escape it changes nothing: the choice is what it was. */
  #closed() {
    this.#show();
    const go = this.#waiting;
    this.#waiting = undefined;
    if (go && !this.matches("[data-chosen]"))
      sessionStorage["parasol-declined"] = (Number(sessionStorage["parasol-declined"]) || 0) + 1;
    go?.();
  }

  /** Asks once per product and visit, and no more after two refusals. */
  #ask(event: SubmitEvent) {
    const form = event.target as HTMLFormElement;
    const asked = `parasol-asked-${this.#data.product}`;
    if (
      this.hidden ||
      choices.has(this.#data.product) ||
      !this.#mine(form) ||
      sessionStorage[asked] ||
      sessionStorage["parasol-declined"] > 1
    )
      return;
    sessionStorage[asked] = 1;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#waiting = () => form.requestSubmit(event.submitter);
    this.#dialog?.showModal();
  }

  #mine(form: HTMLFormElement) {
    return form.matches(productForms) && (new FormData(form).get("id") as string) in this.#data.prices;
  }

  #say(text: "changed" | "refused") {
    this.querySelector("[role=status]")?.replaceChildren(this.#script.dataset[text] ?? "");
  }
}

/** What lies above the page needs the theme's own surface: the nearest that is not transparent. */
function surfaceOf(element: Element): string {
  const { backgroundColor } = getComputedStyle(element);
  return element.parentElement && / 0\)/.test(backgroundColor)
    ? surfaceOf(element.parentElement)
    : backgroundColor;
}

customElements.define("parasol-offer", ParasolOffer);
