/**
 * Product and plan in one go. The theme's own request is taken, not replaced: its buttons, drawers and messages work as
 * without insurance, in every theme that adds to the cart with fetch or with its form.
 */
import { type Choice, pairOf, planItem, type Properties } from "./offers.ts";
import { root } from "./root.ts";

/** By product id: all blocks of a product share one choice. `refused` is set when the plan could not be added. */
export const choices = new Map<string, Choice & { refused: () => void }>();
export const productForms = 'form[action*="/cart/add"]';

interface Item {
  id?: string | number;
  quantity?: string | number;
  properties?: Properties;
  [other: string]: unknown;
}
type Fields = Item & { items?: Item[] };
/** A line in the answer of `/cart/add.js`. */
interface Added {
  key: string;
  /** of one item, before discounts */
  original_price: number;
  properties: Properties | null;
}

const choiceFor = (id: unknown) => [...choices.values()].find(({ variant }) => variant === String(id));

/** A body of `/cart/add` as plain fields; none of what cannot be repeated as JSON. */
function fieldsOf(body: unknown): Fields {
  const text = String(body);
  if (text[0] === "{") return JSON.parse(text) as Fields;
  const properties: Properties = {};
  const fields: Fields = { properties };
  // Text, a form's data and parameters become parameters, anything else becomes none.
  for (const [name, value] of new URLSearchParams(body as string)) {
    // A file among the properties needs the form itself.
    if (value === "[object File]") return {};
    const property = /^properties\[(.+)]$/.exec(name)?.[1];
    if (property) properties[property] = value;
    else fields[name] = value;
  }
  return fields;
}

/** The theme waits for as long: a shop that is only slow still answers within it. */
const TIMEOUT_MS = 10_000;

const send = fetch;

window.fetch = async (input, init) => {
  const url = (input as Partial<Request>).url ?? (input as string);
  const { items, sections, sections_url, ...one }: Fields =
    choices.size && /\/cart\/add\b/.test(url) ? fieldsOf(init?.body) : {};
  const plans: ReturnType<typeof planItem>[] = [];
  // As they are sent: the shopper may choose again before the answer.
  const chosen: NonNullable<ReturnType<typeof choiceFor>>[] = [];
  const products = (items ?? [one]).map(({ id, quantity = 1, properties, selling_plan }) => {
    const choice = choiceFor(id);
    const _parasol_pair = choice && pairOf(choice.variant, properties);
    if (_parasol_pair) {
      chosen.push(choice);
      plans.push(planItem(choice, _parasol_pair, +quantity, "product_page"));
    }
    return { id, quantity, selling_plan, properties: { ...properties, _parasol_pair } };
  });
  if (!plans.length) return send(input, init);
  /** undefined where the shop refuses */
  const post = (path: string, body: object, more?: RequestInit): Promise<{ items: Added[] } | undefined> =>
    send(`${root}cart/${path}`, {
      ...init,
      ...more,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }).then((response) => (response.ok ? response.json() : undefined));
  // The product goes first: its line's key says where the plan belongs, also where its variant is in the cart already
  // with other properties. And the plan can never cost the shop its sale.
  const added = await post("add.js?parasol", { items: products });
  if (!added) return send(input, init);
  // A request that breaks off or hangs counts as refused: the theme still shows what is in the cart.
  const change = (path: string, body: object) =>
    post(path, { ...body, sections, sections_url }, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
      () => null,
    );
  let last = await change("add.js", {
    items: plans.map((plan) => ({
      ...plan,
      parent_line_key: added.items.find(
        ({ properties }) => properties?.["_parasol_pair"] === plan.properties._parasol_pair,
      )?.key,
    })),
  });
  // A market's price list can charge another price than the one that the shopper agreed to.
  const isAgreed = ({ properties, original_price }: Added) =>
    chosen.find(
      ({ offer }) => offer[4] === properties?.["_parasol_reference"] && offer[1] === original_price,
    );
  if (!last?.items.every(isAgreed)) {
    chosen.forEach(({ refused }) => refused());
    // The plans go again, and the theme gets the sections that it requested.
    last = await change("update.js", {
      updates: Object.fromEntries(last?.items.map(({ key }) => [key, 0]) ?? []),
    });
  }
  // A theme that added one product expects that product's line. Safari 16 has no `Response.json`.
  return new Response(JSON.stringify({ ...last, ...added.items[0], ...added }), {
    headers: { "content-type": "application/json" },
  });
};

// A theme without Ajax lets the browser send its form: this adds both, then goes to the cart as the form would.
addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  const body = new FormData(form);
  if (event.defaultPrevented || !form.matches(productForms) || !choiceFor(body.get("id"))) return;
  event.preventDefault();
  // Where the shop refuses, it says so on a page of its own.
  fetch(`${root}cart/add.js`, { method: "POST", body }).then(
    ({ ok }) => (ok ? location.assign(`${root}cart`) : form.submit()),
    () => form.submit(),
  );
});
