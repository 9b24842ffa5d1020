/**
 * Insurance in the cart page and in the theme's drawer: offers what is missing, shows what is insured. Liquid has drawn
 * the cart page; the drawer, and every later state, is drawn here from the same templates.
 */
import { cart, type Item, linesOf, type TitledLine } from "./cart-api.ts";
import { isPlan, plansOf } from "./cart-rules.ts";
import { change, noteSeen, type Panel, panels, proposalFor, propose, settleIfNeeded } from "./cart-sync.ts";
import { type Band, type Choice, type Offer, offersFor, pairOf, planItem } from "./offers.ts";
import { answeredOffers, askApp } from "./proxy.ts";
import { showTerms, wordsOf } from "./terms.ts";

/** What snippets/parasol-cart.liquid embeds. */
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
  /** Answers of the app by variant: offers that are not in the page. */
  #asked: Record<string, Offer[]> = {};
  #lines = linesOf(this.#data.lines);
  #stop = new AbortController();
  #isSeen = false;
  #eye = new IntersectionObserver((entries) => {
    this.#isSeen = !!entries.at(-1)?.isIntersecting;
    this.#noteSeen();
  });

  connectedCallback() {
    const on = { signal: (this.#stop = new AbortController()).signal };
    panels.add(this);
    this.addEventListener("change", (event) => this.#picked(event), on);
    this.addEventListener("click", (event) => void this.#click(event.target), on);
    // Liquid's are disabled, also where a theme patches its cart with a fresh rendering.
    const enable = () => {
      for (const set of this.querySelectorAll("fieldset")) set.disabled = false;
    };
    const observer = new MutationObserver(enable);
    observer.observe(this, { subtree: true, childList: true, attributeFilter: ["disabled"] });
    on.signal.onabort = () => observer.disconnect();
    enable();
    this.#eye.observe(this);
    // A drawer that was hidden where it stands takes the focus when it opens.
    document.addEventListener("focusin", () => this.#noteSeen(), on);
    // Liquid cannot know what was taken out.
    if (this.#lines.some(proposalFor)) void this.show(this.#lines);
  }

  disconnectedCallback() {
    this.#stop.abort();
    this.#eye.disconnect();
    // The drawer's panel is put back when the theme has redrawn its drawer.
    if (!this.#drawer) panels.delete(this);
  }

  start() {
    if (this.#drawer) {
      void this.show(this.#lines);
      new MutationObserver(() => this.#place()).observe(document.body, { childList: true, subtree: true });
    }
    settleIfNeeded(this.#data.lines);
  }

  text(name: string) {
    return this.#script.dataset[name];
  }

  /** undefined where the page does not know: then nothing is concluded from it. */
  bandsOf(variant: string) {
    const category = this.#categoryOf(variant);
    return category?.live ? undefined : category?.bands;
  }

  #categoryOf(variant: string) {
    return this.#data.categories[this.#data.products[variant] ?? ""];
  }

  async show(lines: TitledLine[]) {
    this.#lines = lines;
    const products = lines.filter(
      (line) => !isPlan(line) && !line.untouchable && !line.properties["_parasol_lead"],
    );
    await this.#ask(
      products
        .map(({ variant }) => variant)
        .filter((variant) => !(variant in this.#data.products) || this.#categoryOf(variant)?.live),
    );
    const row = this.querySelector<HTMLTemplateElement>("template[data-line]")?.content;
    const rows = products.flatMap((line) => {
      const made = row?.cloneNode(true) as DocumentFragment;
      return this.#fill(made, line, lines) ? [made] : [];
    });
    this.querySelector("[data-lines]")?.replaceChildren(...rows);
    this.#place();
    this.#noteSeen();
  }

  #noteSeen() {
    if (!this.#isSeen || getComputedStyle(this).visibility !== "visible") return;
    const isOffered = ({ key, properties }: TitledLine) =>
      !properties["_parasol_offered"] && this.querySelector(`[data-key="${key}"] details`);
    noteSeen(
      this.#lines.filter(isOffered).map(({ variant }) => variant),
      this.#data.touchpoint,
    );
  }

  /** The offers of products that the page does not know, asked once. */
  async #ask(variants: string[]) {
    const missing = variants.filter((variant) => !(variant in this.#asked)).slice(0, 50);
    if (!missing.length) return;
    const answer = await askApp(missing);
    for (const variant of missing) {
      this.#asked[variant] = answeredOffers(answer, variant, this.#data.currency);
      this.#data.products[variant] ??=
        answer.products.find(({ variant_id }) => variant_id === variant)?.category ?? "";
    }
    for (const [key, { cg, ipid, texts }] of Object.entries(answer.categories))
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

  /** Fills a row; false where there is nothing to say about the line. */
  #fill(row: DocumentFragment, line: TitledLine, lines: TitledLine[]): boolean {
    const plans = plansOf(line, lines);
    const category = this.#categoryOf(line.variant);
    const offers =
      this.#asked[line.variant] ?? offersFor(category?.bands ?? [], line.price, this.#data.order);
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
      set("again-terms", wordsOf(again, this.#data.currency, this.#script.dataset).join(", "));
    } else button?.remove();
    showTerms(row, offers, this.#data.currency, this.#script.dataset);
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

  #picked(event: Event) {
    // The theme listens for its own quantity fields around us.
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
    const done = await change(
      () =>
        insure(line, { variant: line.variant, plan: input.value, reference, consent }, this.#data.touchpoint),
      "added",
    );
    if (done) this.#focus(line.variant, 20);
    else button?.removeAttribute("disabled");
  }

  /** The button is gone: the focus goes to what is insured now, also when the theme draws its cart a little later. */
  #focus(variant: string, tries: number) {
    // One of them can be in a drawer that is shut: focusing that one does nothing.
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

/** Ties the product's line to its plan, then adds the plan under it. Looks first: another tab may have changed the cart. */
async function insure({ key, variant }: TitledLine, choice: Choice, touchpoint: string) {
  const lines = linesOf((await cart()).items).filter((line) => !isPlan(line) && line.variant === variant);
  const line = lines.find((each) => each.key === key) ?? lines[0];
  if (!line) throw new Error(`${variant} is not in the cart`);
  const { quantity, properties } = line;
  const pair = properties["_parasol_pair"] ?? pairOf(variant, properties);
  let parent = line.key;
  if (!properties["_parasol_pair"]) {
    const { items } = await cart("/change", {
      id: parent,
      quantity,
      properties: { ...properties, _parasol_pair: pair },
    });
    parent =
      linesOf(items).find((each) => each.variant === variant && each.properties["_parasol_pair"] === pair)
        ?.key ?? parent;
  }
  await cart("/add", {
    items: [{ ...planItem(choice, pair, quantity, touchpoint), parent_line_key: parent }],
  });
  propose(line);
}

if (!customElements.get("parasol-cart")) {
  customElements.define("parasol-cart", ParasolCart);
  for (const panel of document.querySelectorAll<ParasolCart>("parasol-cart")) panel.start();
}
