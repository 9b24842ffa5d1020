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

/** A body of `/cart/add` as plain fields, without its files. */
function fieldsOf(body: unknown): Fields {
  if (String(body)[0] === "{") return JSON.parse(body as string) as Fields;
  const properties: Properties = {};
  const fields: Fields = { properties };
  // Text, a form's data and parameters become parameters, anything else becomes none.
  for (const [name, value] of body instanceof FormData ? body : new URLSearchParams(body as string)) {
    const property = name.match(/^properties\[(.+)]$/)?.[1];
    if (value instanceof File) {
      // A file needs the form itself; an empty field for one does not.
      if (value.size) return {};
    } else if (property) properties[property] = value;
    else fields[name] = value;
  }
  return fields;
}

/** The theme waits for as long: a shop that is only slow still answers within it. */
const TIMEOUT_MS = 10_000;

const send = fetch;

window.fetch = async (input, init) => {
  const { items, sections, sections_url, ...one }: Fields =
    choices.size && /\/cart\/add\b/.test((input as Partial<Request>).url ?? (input as string))
      ? fieldsOf(init?.body)
      : {};
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
  if (!plans[0]) return send(input, init);
  /** undefined where the shop refuses */
  const post = (path: string, body: object, more?: RequestInit): Promise<{ items: Added[] } | undefined> =>
    send(`${root}cart/${path}`, {
      ...init,
      ...more,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }).then((response) => response.ok && response.json());
  // The product goes first: its line's key says where the plan belongs, also where its variant is in the cart already
  // with other properties. And the plan can never cost the shop its sale.
  const added = await post("add.js?parasol", { items: products });
  if (!added) return send(input, init);
  const change = (path: string, body: object) =>
    post(path, { ...body, sections, sections_url }, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
      () => null,
    );
  const choiceOf = ({ properties }: Added) =>
    chosen.find(({ consent }) => consent === properties?.["_parasol_consent"]);
  // An answer that is lost or late does not say whether the plans were added. The cart, which an empty update returns,
  // does.
  let last =
    (await change("add.js", {
      items: plans.map((plan) => ({
        ...plan,
        parent_line_key: added.items.find(
          ({ properties }) => properties?.["_parasol_pair"] === plan.properties._parasol_pair,
        )?.key,
      })),
    })) || (await change("update.js", { updates: {} }));
  const lines = last?.items.filter(choiceOf) ?? [];
  // A market's price list can charge another price than the one that the shopper agreed to.
  if (!lines[0] || lines.some((line) => line.original_price !== choiceOf(line)?.offer[1])) {
    chosen.forEach(({ refused }) => refused());
    // The plans go again, and the theme gets the sections that it requested.
    for (const { key } of lines) last = await change("update.js", { updates: { [key]: 0 } });
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
  // Of a double click: the first one is under way.
  if (!form.ariaBusy)
    void fetch(`${root}cart/add.js`, { method: "POST", body })
      .catch(() => null)
      .then((response) => {
        // Where the shop refuses, it says so on a page of its own.
        if (response?.ok) location.assign(`${root}cart`);
        else form.submit();
        form.ariaBusy = null;
      });
  form.ariaBusy = "true";
});
