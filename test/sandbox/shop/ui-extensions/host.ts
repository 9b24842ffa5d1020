/**
 * Runs an extension in a browser page: the `shopify` global with working signals and translated texts, and the
 * behaviour of Shopify's components. A test or live.ts defines the page's functions.
 */
import type { Host } from "./page.ts";

declare const host: Host;
declare function storefrontQuery(query: string, variables: unknown): Promise<unknown>;
declare function cartLinesChange(change: unknown): Promise<{ result: unknown; lines: Line[] }>;
declare function customerAccountApi(request: unknown): Promise<Answer>;
declare function parasolApp(address: string, options?: RequestInit): Promise<Answer>;
declare function sessionToken(): Promise<string>;

interface Line {
  id: string;
}
interface Answer {
  status: number;
  body: unknown;
}
interface Signal<T> {
  value: T;
}
interface Published {
  name: string;
  data: unknown;
}

const stored = new Map<string, unknown>();
const published: Published[] = [];
Reflect.set(globalThis, "published", published);

const language = host.language;
const plural = new Intl.PluralRules(language);
const token = async () => host.token ?? (await sessionToken());
const partOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

const shopify = {
  i18n: {
    translate(key: string, values: Record<string, unknown> = {}): string {
      let text = key.split(".").reduce(partOf, host.texts);
      if (typeof text === "object") text = partOf(text, plural.select(Number(values["count"])));
      if (typeof text !== "string") throw new Error(`No text ${key}`);
      return text.replace(/{{(\w+)}}/g, (_, name: string) => String(values[name]));
    },
    formatCurrency: (amount: number, options: Intl.NumberFormatOptions) =>
      new Intl.NumberFormat(language, { style: "currency", ...options }).format(amount),
    formatDate: (date: Date, options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(language, { timeZone: "Europe/Paris", ...options }).format(date),
  },
  // Called with the library's class before the extension reads anything: from then on values are its signals.
  setSignals(LibrarySignal: new (value: unknown) => unknown) {
    for (const [name, value] of Object.entries(host.signals))
      Reflect.set(shopify, name, new LibrarySignal(value));
    Reflect.set(shopify, "localization", {
      language: new LibrarySignal({ isoCode: language }),
      country: new LibrarySignal({ isoCode: host.country }),
    });
    if (host.signals["customerPrivacy"] === undefined)
      Reflect.set(shopify, "customerPrivacy", new LibrarySignal({ allowedProcessing: { analytics: true } }));
    if (host.signals["company"] !== undefined)
      Reflect.set(shopify, "buyerIdentity", {
        purchasingCompany: Reflect.get(shopify, "company") as unknown,
      });
  },
  extend: (_target: string, extension: () => void) => extension(),
  sessionToken: { get: token },
  analytics: {
    publish: (name: string, data: unknown) => {
      published.push({ name, data });
      return Promise.resolve(true);
    },
  },
  storage: {
    read: (key: string) => Promise.resolve(stored.get(key) ?? null),
    write: (key: string, value: unknown) => {
      stored.set(key, value);
      return Promise.resolve();
    },
  },
  // The admin's.
  auth: { idToken: token },
  data: { selected: host.selected.map((id) => ({ id })) },
  close: () => undefined,
  // The checkout's answer, and the cart's lines afterwards.
  lines: undefined as Signal<Line[]> | undefined,
  target: undefined as Signal<Line> | undefined,
  query: (query: string, { variables }: { variables: unknown }) => storefrontQuery(query, variables),
  applyCartLinesChange: async (change: unknown) => {
    const { result, lines } = await cartLinesChange(change);
    const { target } = shopify;
    if (shopify.lines) shopify.lines.value = lines;
    if (target) target.value = lines.find(({ id }) => id === target.value.id) ?? target.value;
    return result;
  },
};
Reflect.set(globalThis, "shopify", shopify);

const networkFetch = globalThis.fetch;
globalThis.fetch = async (requested, options) => {
  const address = requested instanceof Request ? requested.url : String(requested);
  const { app } = host;
  if (app !== "" && address.startsWith("/")) return networkFetch(app + address, options);
  if (app !== "" && address.startsWith(`${app}/`)) return networkFetch(address, options);
  const isApp = address.startsWith("https://app.example/");
  if (!isApp && !address.startsWith("shopify://")) throw new Error(`The extension requested ${address}`);
  const { status, body } = isApp
    ? await parasolApp(address, options)
    : await customerAccountApi(JSON.parse(typeof options?.body === "string" ? options.body : "null"));
  return new Response(JSON.stringify(body), { status });
};

/** Where the demo serves a public address. */
const servedAt = (address: string): string =>
  Object.entries(host.elsewhere ?? {}).reduce(
    (found, [from, to]) => (found.startsWith(`${from}/`) ? to + found.slice(from.length) : found),
    address,
  );

document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return;
  target.closest("s-summary")?.parentElement?.toggleAttribute("open");
  target.closest("s-checkbox")?.dispatchEvent(new Event("change"));
  const href = target.closest("s-link, s-button")?.getAttribute("href");
  if (href) open(servedAt(href.replace(/^app:/, host.appPages)), "_blank");
  const choice = target.closest("s-choice");
  const list = choice?.closest("s-choice-list");
  if (!choice || !list) return;
  for (const each of list.querySelectorAll("s-choice")) each.toggleAttribute("data-chosen", each === choice);
  Reflect.set(list, "values", [choice.getAttribute("value")]);
  list.dispatchEvent(new Event("change"));
});
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (!["Enter", " "].includes(key) || !(target instanceof HTMLElement) || !target.hasAttribute("tabindex"))
    return;
  event.preventDefault();
  target.click();
});

const roles = {
  "s-summary": "button",
  "s-button": "button",
  "s-link": "link",
  "s-choice": "radio",
  "s-checkbox": "checkbox",
};
for (const [name, role] of Object.entries(roles))
  customElements.define(
    name,
    class extends HTMLElement {
      connectedCallback(): void {
        this.setAttribute("role", role);
        this.setAttribute("tabindex", "0");
      }
    },
  );

/** A text field with the events and the value of Shopify's component. */
const fieldOf = (type: string) =>
  class extends HTMLElement {
    static observedAttributes = ["label", "value", "readonly", "min", "max"];
    #input = document.createElement("input");
    #label = document.createElement("label");
    constructor() {
      super();
      this.#input.type = type;
      this.#input.style.cssText =
        "display: block; width: 100%; box-sizing: border-box; font: inherit; padding: 6px 12px";
      this.attachShadow({ mode: "open" }).append(this.#label);
      for (const name of ["input", "change"])
        this.#input.addEventListener(name, (event) => {
          event.stopPropagation();
          this.dispatchEvent(new Event(name));
        });
    }
    get value(): string {
      return this.#input.value;
    }
    set value(value: string) {
      this.#input.value = value;
    }
    attributeChangedCallback(name: string, _previous: string | null, value: string | null): void {
      if (name === "label") this.#label.replaceChildren(value ?? "", this.#input);
      else if (name === "value") this.value = value ?? "";
      else this.#input.toggleAttribute(name, value !== null);
      if (name === "min" || name === "max") this.#input[name] = value ?? "";
    }
  };
customElements.define("s-text-field", fieldOf("text"));
customElements.define("s-number-field", fieldOf("number"));

customElements.define(
  "s-product-thumbnail",
  class extends HTMLElement {
    connectedCallback(): void {
      const image = document.createElement("img");
      image.src = this.getAttribute("src") ?? "";
      image.alt = this.getAttribute("alt") ?? "";
      this.append(image);
    }
  },
);
