/**
 * Which variant the theme has selected for a product. Themes keep it in a form, in the address, or report it in an
 * event; some keep several of these up to date, and others forget one. What changed last is right.
 */

export const productForms = 'form[action*="/cart/add"]';

/** Events of theme families, with the variant in `detail` or in `detail.resource`. */
const variantEvents = [
  "variant:change",
  "variant:changed",
  "variant:update",
  "variant-change",
  "variantChange",
  "product:variant-change",
  "on:variant:change",
  "theme:variant:change",
];

/** By product's variant: reported by the theme's last event. */
let reported = "";

/** Calls back when the theme may have selected another variant. */
export function observeVariants(callback: () => void): void {
  const report = ({ detail }: CustomEventInit<unknown>) => {
    reported = variantIn(detail) ?? reported;
    callback();
  };
  // Some of them do not bubble.
  for (const name of variantEvents)
    document.addEventListener(name, (event) => report(event as CustomEvent), true);
  for (const name of ["change", "click"])
    addEventListener(name, () => {
      callback();
      // Themes that first load something then write the variant into a property, which nothing reports.
      for (const delay of [50, 400, 1_500]) setTimeout(callback, delay);
    });
  // While the shopper types a quantity: what changes only at the next click would move the terms under the pointer.
  addEventListener("input", callback);
  // The whole page: a block can be in a section of its own, without the form.
  new MutationObserver(callback).observe(document, {
    subtree: true,
    childList: true,
    attributeFilter: ["value", "disabled", "selected"],
  });
}

function variantIn(detail: unknown): string | undefined {
  const { variant, resource } = (detail ?? {}) as Record<string, { id?: string | number } | undefined>;
  return (variant ?? resource)?.id?.toString();
}

type Field = HTMLInputElement | HTMLSelectElement;

/** Follows the sources of one product's variant. */
export class SelectedVariant {
  #block: Element;
  /** the value of each source at the last look */
  #values = new Map<unknown, string>();
  #latest: string | undefined;
  #form: HTMLFormElement | null = null;

  /** @param block the offer: the nearest form counts, because pages have forms of other products, too */
  constructor(block: Element) {
    this.#block = block;
  }

  /**
   * The variant; "" if the theme has none for the options picked, undefined if no source says.
   * @param isOwn whether a variant is of the product
   */
  read(isOwn: (id: string) => boolean): string | undefined {
    const fields = this.#findFields(isOwn);
    const [nearest] = fields;
    if (nearest) this.#form = nearest.form;
    const sources: [source: unknown, value: string][] = [
      ...fields.map((field): [unknown, string] => [field, field.value]),
      ["event", reported],
      ["address", new URLSearchParams(location.search).get("variant") ?? ""],
    ];
    const isFirst = !this.#values.size;
    const changed: string[] = [];
    for (const [source, value] of sources) {
      const previous = this.#values.get(source);
      this.#values.set(source, value);
      if (!isOwn(value) && source !== nearest) continue;
      // What is seen for the first time says nothing, except the nearest form: the theme has drawn it again.
      const isNew = previous === undefined ? isFirst || source === nearest : previous !== value;
      if (isNew) changed.push(value);
    }
    this.#latest = changed.find(Boolean) ?? changed[0] ?? this.#latest;
    return this.#latest;
  }

  /** How many items the shopper adds. */
  get quantity(): number {
    const inForm = this.#form && new FormData(this.#form).get("quantity");
    const section = this.#block.closest(".shopify-section");
    return Number(inForm ?? section?.querySelector<Field>("[name=quantity]")?.value) || 1;
  }

  /**
   * The fields with a variant of the product, or with none, the nearest first. A form without a button counts after those
   * with one: themes have it for payment by instalments. At last fields outside of forms.
   */
  #findFields(isOwn: (id: string) => boolean): Field[] {
    for (const form of [`${productForms}:has(button, [type=submit])`, productForms, ""]) {
      const fields = [...document.querySelectorAll<Field>(`${form} :is(input, select)[name=id]`)]
        .filter(({ value }) => isOwn(value) || value === "")
        .sort((a, b) => Number(!a.value) - Number(!b.value));
      let part = this.#block.parentElement;
      while (part && !fields.some((field) => part?.contains(field))) part = part.parentElement;
      const scope = part;
      if (scope) return [...new Set([...fields.filter((field) => scope.contains(field)), ...fields])];
    }
    return [];
  }
}
