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
  id: string | number;
  quantity?: string | number;
  properties?: Properties;
  [other: string]: unknown;
}
type Fields = Item & { items?: Item[] };
/** A line in the answer of `/cart/add.js`. */
interface Added {
  key: string;
  properties: Properties | null;
}

const choiceFor = (id: unknown) => [...choices.values()].find(({ variant }) => variant === String(id));

/** A body of `/cart/add` as plain fields; undefined for what cannot be repeated as JSON. */
function fieldsOf(body: unknown): Fields | undefined {
  const text = String(body);
  if (text[0] === "{") return JSON.parse(text) as Fields;
  const form = (body === text ? new URLSearchParams(text) : body) as Partial<FormData> | undefined;
  // Only forms and their texts have it.
  if (!form?.getAll) return undefined;
  const properties: Properties = {};
  const fields: Fields = { id: "", properties };
  for (const [name, value] of form as Iterable<[string, FormDataEntryValue]>) {
    // A file among the properties needs the form itself.
    if (typeof value !== "string") return undefined;
    const property = /^properties\[(.+)]$/.exec(name);
    if (property) properties[property[1] as string] = value;
    else fields[name] = value;
  }
  return fields;
}

const send = fetch;

window.fetch = async (input, init) => {
  const url = (input as Partial<Request>).url ?? (input as string);
  const fields = choices.size && /\/cart\/add\b/.test(url) ? fieldsOf(init?.body) : undefined;
  const { items, sections, sections_url, ...one } = fields ?? { id: "" };
  const plans: ReturnType<typeof planItem>[] = [];
  const products = (items ?? [one]).map(({ id, quantity = 1, properties, selling_plan }) => {
    const choice = choiceFor(id);
    const _parasol_pair = choice && pairOf(choice.variant, properties);
    if (_parasol_pair) plans.push(planItem(choice, _parasol_pair, +quantity, "product_page"));
    return { id, quantity, selling_plan, properties: { ...properties, _parasol_pair } };
  });
  if (!plans.length) return send(input, init);
  const post = (path: string, body: object) =>
    send(`${root}cart/${path}`, {
      ...init,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  // The product goes first: its line's key says where the plan belongs, also where its variant is in the cart already
  // with other properties. And the plan can never cost the shop its sale.
  const response = await post("add.js?parasol", { items: products });
  if (!response.ok) return send(input, init);
  const added = (await response.json()) as { items: Added[] };
  const parentOf = ({ properties }: (typeof plans)[number]) =>
    added.items.find((line) => line.properties?.["_parasol_pair"] === properties._parasol_pair)?.key;
  let last = await post("add.js", {
    items: plans.map((plan) => ({ ...plan, parent_line_key: parentOf(plan) })),
    sections,
    sections_url,
  });
  if (!last.ok) {
    for (const { refused } of choices.values()) refused();
    // Nothing changes; the theme gets the sections that it asked for.
    last = await post("update.js", { sections, sections_url });
  }
  // A theme that added one product expects that product's line.
  return Response.json({ ...((await last.json()) as object), ...added.items[0], ...added });
};

// A theme without Ajax lets the browser send its form: this adds both, then goes to the cart as the form would.
addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  const body = new FormData(form);
  if (event.defaultPrevented || !form.matches(productForms) || !choiceFor(body.get("id"))) return;
  event.preventDefault();
  const submitAlone = () => form.submit();
  fetch(`${root}cart/add.js`, { method: "POST", body }).then(
    ({ ok }) => (ok ? location.assign(`${root}cart`) : submitAlone()),
    submitAlone,
  );
});
