/**
 * A form as Shopify reads it, nested by its fields' names: `items[0][properties][Gravure]=Léa`, `properties[Dates][]=a`.
 * The last of several fields with one name counts; names that end in `[]` make a list.
 */
export function nestForm(form: FormData): Record<string, unknown> {
  const body: Nested = {};
  for (const [name, value] of form) {
    // Shopify stores an uploaded file and keeps its address. An empty file field has no value.
    const text = typeof value === "string" ? value : value.size ? `/uploads/${value.name}` : "";
    const [first = "", ...rest] = pathOf(name);
    put(body, first, rest, text);
  }
  // Items arrive by their number: Shopify takes them as a list.
  const { items } = body;
  return isNested(items) ? { ...body, items: Object.values(items) } : body;
}

interface Nested {
  [name: string]: string | string[] | Nested;
}

/** `a[b][]` is `["a", "b", ""]`. A name with other brackets is one field. */
function pathOf(name: string): string[] {
  const parts = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name);
  if (!parts) return [name];
  const [, first = "", rest = ""] = parts;
  return [first, ...rest.slice(1, -1).split("][")];
}

function put(target: Nested, name: string, rest: string[], text: string): void {
  const [next, ...further] = rest;
  const current = target[name];
  if (next === undefined) target[name] = text;
  else if (next === "") target[name] = [...(Array.isArray(current) ? current : []), text];
  else {
    const nested = isNested(current) ? current : {};
    target[name] = nested;
    put(nested, next, further, text);
  }
}

function isNested(value: Nested[string] | undefined): value is Nested {
  return typeof value === "object" && !Array.isArray(value);
}
