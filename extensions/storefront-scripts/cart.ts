/**
 * Insurance on the cart page and in the theme's drawer: plans to add and plans that are there. Liquid has rendered the
 * cart page; the drawer and every later state are rendered here from the same templates.
 */
import { type Item, linesOf, type TitledLine } from "./cart-api.ts";
import { isPlan, plansOf } from "./cart-rules.ts";
import { changeCart, type Panel, panels, recordOffered, syncIfNeeded } from "./cart-sync.ts";
import { insure } from "./insure.ts";
import { type Band, type Offer, offersFor } from "./offers.ts";
import { proposalFor } from "./proposals.ts";
import { fetchOffers, offersInResponse } from "./proxy.ts";
import { renderTerms, termTexts } from "./terms.ts";

/** The JSON that snippets/parasol-cart.liquid embeds. */
interface Data {
  lines: Item[];
  /** category key by variant id, of the products this page knows; empty where the product has none */
  products: Record<string, string>;
  categories: Record<string, Category>;
  currency: string;
  /** the merchant's order of terms */
  order: number[];
  consent: string;
  touchpoint: string;
}

interface Category {
  live: boolean;
  bands: Band[];
  headline: string;
  legal: string;
  button: string;
  cg: string;
  ipid: string;
}

class ParasolCart extends HTMLElement implements Panel {
  #script = this.querySelector("script") as HTMLScriptElement;
  #data = JSON.parse(this.#script.text) as Data;
  #drawer = this.hasAttribute("data-drawer");
  /** The app's offers by variant, for products that are not in the page. */
  #fetched: Record<string, Offer[]> = {};
  #lines = linesOf(this.#data.lines);
  #listeners = new AbortController();
  #isVisible = false;
  #visibility = new IntersectionObserver((entries) => {
    this.#isVisible = !!entries.at(-1)?.isIntersecting;
    this.#recordOffered();
  });

  connectedCallback() {
    const on = { signal: (this.#listeners = new AbortController()).signal };
    panels.add(this);
    this.addEventListener("change", (event) => this.#select(event), on);
    this.addEventListener("click", (event) => void this.#click(event.target), on);
    // Liquid's are disabled, also where a theme patches its cart with a fresh rendering.
    const enable = () => {
      for (const set of this.querySelectorAll("fieldset")) set.disabled = false;
    };
    const observer = new MutationObserver(enable);
    observer.observe(this, { subtree: true, childList: true, attributeFilter: ["disabled"] });
    on.signal.onabort = () => observer.disconnect();
    enable();
    this.#visibility.observe(this);
    // A drawer that was hidden where it stands takes the focus when it opens.
    document.addEventListener("focusin", () => this.#recordOffered(), on);
    // Liquid does not know which plans were removed.
    if (this.#lines.some(proposalFor)) void this.show(this.#lines);
  }

  disconnectedCallback() {
    this.#listeners.abort();
    this.#visibility.disconnect();
    // The drawer's panel is put back when the theme has redrawn its drawer.
    if (!this.#drawer) panels.delete(this);
  }

  start() {
    if (this.#drawer) {
      void this.show(this.#lines);
      new MutationObserver(() => this.#place()).observe(document.body, { childList: true, subtree: true });
    }
    syncIfNeeded(this.#data.lines);
  }

  text(name: string) {
    return this.#script.dataset[name];
  }

  /** undefined where the page does not know: then the rules leave the plans alone. */
  bandsOf(variant: string) {
    const category = this.#categoryOf(variant);
    return category?.live ? undefined : category?.bands;
  }

  #categoryOf(variant: string) {
    return this.#data.categories[this.#data.products[variant] ?? ""];
  }

  async show(lines: TitledLine[]) {
    this.#lines = lines;
    const products = lines.filter((line) => !isPlan(line) && !line.untouchable);
    await this.#fetchOffers(
      products
        .map(({ variant }) => variant)
        .filter((variant) => !(variant in this.#data.products) || this.#categoryOf(variant)?.live),
    );
    const row = this.querySelector<HTMLTemplateElement>("template[data-line]")?.content;
    const rows = products.flatMap((line) => {
      const made = row?.cloneNode(true) as DocumentFragment;
      return this.#fillRow(made, line, lines) ? [made] : [];
    });
    this.querySelector("[data-lines]")?.replaceChildren(...rows);
    this.#place();
    this.#recordOffered();
  }

  #recordOffered() {
    if (!this.#isVisible || getComputedStyle(this).visibility !== "visible") return;
    const isOffered = ({ key, properties }: TitledLine) =>
      !properties["_parasol_offered"] && this.querySelector(`[data-key="${key}"] details`);
    recordOffered(
      this.#lines.filter(isOffered).map(({ variant }) => variant),
      this.#data.touchpoint,
    );
  }

  /** Fetches the offers of products that the page does not know, once. */
  async #fetchOffers(variants: string[]) {
    const missing = variants.filter((variant) => !(variant in this.#fetched)).slice(0, 50);
    if (!missing.length) return;
    const response = await fetchOffers(missing);
    for (const variant of missing) {
      this.#fetched[variant] = offersInResponse(response, variant, this.#data.currency);
      this.#data.products[variant] ??=
        response.products.find(({ variant_id }) => variant_id === variant)?.category ?? "";
    }
    for (const [key, { cg, ipid, texts }] of Object.entries(response.categories))
      if (/^https:/.test(cg) && /^https:/.test(ipid))
        this.#data.categories[key] ??= {
          live: true,
          bands: [],
          headline: texts.headline,
          legal: texts.legal,
          button: texts.cart_button,
          cg,
          ipid,
        };
  }

  /** Fills a row; false where the line needs none. */
  #fillRow(row: DocumentFragment, line: TitledLine, lines: TitledLine[]): boolean {
    const plans = plansOf(line, lines);
    const category = this.#categoryOf(line.variant);
    const offers =
      this.#fetched[line.variant] ?? offersFor(category?.bands ?? [], line.price, this.#data.order);
    const set = (name: string, text: string) => row.querySelector(`[data-${name}]`)?.replaceChildren(text);
    const details = row.querySelector("details");
    const note = row.querySelector("[data-note]");
    row.querySelector("li")?.setAttribute("data-key", line.key);
    set("title", line.title);
    set("name", line.title);
    if (plans.length) {
      details?.remove();
      note?.remove();
      set("insured", plans.map(({ title }) => title).join(", "));
      return true;
    }
    row.querySelector("p:has([data-insured])")?.remove();
    const proposal = proposalFor(line);
    if (!proposal) note?.remove();
    else set("note", `${line.title} · ${this.text("rechosen") ?? ""}`);
    if (!category || !offers.length) {
      details?.remove();
      return !!proposal;
    }
    const again = offers.find((offer) => offer[4] === proposal);
    const button = row.querySelector<HTMLButtonElement>("[data-again]");
    if (again && details && button) {
      details.open = true;
      button.value = again[3];
      button.dataset["reference"] = again[4];
      set("again-terms", termTexts(again, this.#data.currency, this.#script.dataset).join(", "));
    } else button?.remove();
    renderTerms(row, offers, this.#data.currency, this.#script.dataset);
    for (const input of row.querySelectorAll("input"))
      input.name = `parasol-${this.#data.touchpoint}-${line.key}`;
    set("headline", category.headline);
    row.querySelector("legend")?.replaceChildren(line.title);
    set("legal", category.legal);
    set("add", category.button || (this.#script.dataset["add"] ?? ""));
    row.querySelector("[data-ipid]")?.setAttribute("href", category.ipid);
    row.querySelector("[data-cg]")?.setAttribute("href", category.cg);
    return true;
  }

  #select(event: Event) {
    // The theme listens for changes of its own quantity fields.
    event.stopPropagation();
    (event.target as Element).closest("li")?.querySelector("[data-add]")?.removeAttribute("disabled");
  }

  async #click(target: EventTarget | null) {
    const button = (target as Element).closest<HTMLButtonElement>("[data-add], [data-again]");
    const item = button?.closest("li");
    const input = button?.value ? button : item?.querySelector<HTMLInputElement>("input:checked");
    const line = this.#lines.find(({ key }) => key === item?.dataset["key"]);
    if (!input || !line) return;
    const consent = `${this.#data.consent} ${new Date().toISOString()}`;
    const reference = input.dataset["reference"] ?? "";
    button?.setAttribute("disabled", "");
    const done = await changeCart(
      () =>
        insure(line, { variant: line.variant, plan: input.value, reference, consent }, this.#data.touchpoint),
      "added",
    );
    if (done) this.#focus(line.variant, 20);
    else button?.removeAttribute("disabled");
  }

  /** The button is gone: moves the focus to the new plan, also when the theme renders its cart a little later. */
  #focus(variant: string, tries: number) {
    // Focusing an element in a closed drawer does nothing.
    for (const insured of document.querySelectorAll<HTMLElement>(`[data-key^="${variant}:"] [data-insured]`))
      if (document.activeElement?.matches("body, dialog")) insured.focus();
    if (tries) setTimeout(() => this.#focus(variant, tries - 1), 100);
  }

  /** The drawer's panel stands below the lines, before the part of the drawer that holds its checkout button. */
  #place() {
    const isEmpty = !this.querySelector("[data-lines] > *");
    if (!this.#drawer) return void (this.hidden = isEmpty);
    let at = [...document.querySelectorAll("[name=checkout]")].find((each) => !each.closest("main"));
    while (at?.parentElement && !at.parentElement.querySelector('a[href*="/products/"]:not(parasol-cart *)'))
      at = at.parentElement;
    const inDrawer = !!at && at !== document.body && at !== document.documentElement;
    if (inDrawer && at?.previousElementSibling !== this) at?.before(this);
    this.hidden = !inDrawer || isEmpty;
  }
}

if (!customElements.get("parasol-cart")) {
  customElements.define("parasol-cart", ParasolCart);
  for (const panel of document.querySelectorAll<ParasolCart>("parasol-cart")) panel.start();
}
