/**
 * Product and plan in one request. The theme's own request is taken, not replaced: its buttons, drawers and messages
 * work as without insurance, in every theme that adds to the cart with fetch or with its form.
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

const choiceFor = (id: unknown) => [...choices.values()].find(({ variant }) => variant === String(id));

/** A body of `/cart/add` as plain fields; undefined for what cannot be repeated as JSON. */
function fieldsOf(body: unknown): Fields | undefined {
  if (typeof body === "string" && body.startsWith("{")) return JSON.parse(body) as Fields;
  const form = typeof body === "string" ? new URLSearchParams(body) : body;
  if (!(form instanceof FormData || form instanceof URLSearchParams)) return undefined;
  const fields: Fields = { id: "" };
  const properties: Properties = {};
  for (const [name, value] of form as Iterable<[string, FormDataEntryValue]>) {
    // A file among the properties needs the form itself.
    if (typeof value !== "string") return undefined;
    const property = /^properties\[(.+)]$/.exec(name);
    if (property) properties[property[1] ?? ""] = value;
    else fields[name] = value;
  }
  return { ...fields, properties };
}

/** The body that adds the plan nested under its product; undefined where no added product has a chosen plan. */
function withPlans({ items, sections, sections_url, ...one }: Fields): string | undefined {
  const added = items ?? [one];
  if (!added.some(({ id }) => choiceFor(id))) return undefined;
  const all = added.flatMap(({ id, quantity = 1, properties, selling_plan }): object[] => {
    const choice = choiceFor(id);
    const pair = pairOf(String(id), properties);
    const product = { id, quantity, selling_plan, properties };
    if (!choice) return [product];
    const plan = planItem(choice, pair, Number(quantity), "product_page");
    return [
      { ...product, properties: { ...properties, _parasol_pair: pair } },
      { ...plan, parent_id: id },
    ];
  });
  return JSON.stringify({ items: all, sections, sections_url });
}

const send = window.fetch.bind(window);

window.fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : `${input}`;
  const fields = choices.size && /\/cart\/add(\.js|[?#]|$)/.test(url) ? fieldsOf(init?.body) : undefined;
  const body = fields && withPlans(fields);
  if (!body) return send(input, init);
  const response = await send(`${root}cart/add.js`, {
    ...init,
    headers: { "content-type": "application/json" },
    body,
  });
  if (!response.ok) {
    // The plan must never cost the shop its sale: the product goes in alone, and the shopper is told.
    for (const { refused } of choices.values()) refused();
    return send(input, init);
  }
  const added = (await response.json()) as { items: object[] };
  // A theme that added one product expects that product's line.
  return Response.json({ ...added.items[0], ...added });
};

// A theme without Ajax lets the browser send its form: this adds both, then goes to the cart as the form would.
window.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  if (event.defaultPrevented || !form.matches(productForms)) return;
  const body = new FormData(form);
  if (!choiceFor(body.get("id"))) return;
  event.preventDefault();
  const submitAlone = () => form.submit();
  fetch(`${root}cart/add.js`, { method: "POST", body }).then(
    (response) => (response.ok ? location.assign(`${root}cart`) : submitAlone()),
    submitAlone,
  );
});
