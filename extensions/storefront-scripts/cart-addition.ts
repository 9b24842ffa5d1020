/**
 * A request that adds to the cart: what it adds, and the same request with more properties. The request is extended and
 * never rebuilt, because what is not known here (nested add-ons, files, sections, other apps' fields) has to arrive too.
 */
import { root } from "./root.ts";

export interface AddedItem {
  variant: string;
  quantity: number;
  properties: Record<string, unknown>;
  /** under another item: Shopify nests nothing under it */
  isNested: boolean;
}

export interface Addition {
  items: AddedItem[];
  /** which parts of the page the answer has to contain, and for which address */
  sections: Record<string, unknown>;
  /** The same request with a property for some of its items, as arguments of fetch: other scripts' wrappers read these. */
  extend: (property: string, valueOf: (item: AddedItem) => string | undefined) => [string, RequestInit];
}

/** `/cart/add`, `/cart/add.js` under the shop's root, `/`, or a language's or market's prefix: `/fr`, `/en-be`. */
export function isCartAdd(address: string): boolean {
  const { origin, pathname } = new URL(address, document.baseURI);
  const [prefix, suffix] = pathname.split("cart/add", 2);
  return (
    origin === location.origin &&
    (prefix === root || /^\/([a-z]{2}(-[a-z\d-]+)?\/)?$/i.test(prefix ?? "")) &&
    (suffix === "" || suffix === ".js")
  );
}

/** Undefined where the body is neither JSON nor a form. */
export async function readAddition(request: Request): Promise<Addition | undefined> {
  const type = request.headers.get("content-type") ?? "";
  const copy = request.clone();
  if (type.includes("json")) return readJson(request, await copy.text());
  if (type.includes("form")) return readForm(request, await copy.formData(), type.includes("urlencoded"));
  return undefined;
}

interface JsonItem {
  id?: string | number;
  quantity?: string | number;
  properties?: Record<string, unknown> | null;
  parent_id?: unknown;
  parent_line_key?: unknown;
}
type JsonBody = JsonItem & { items?: JsonItem[]; sections?: unknown; sections_url?: unknown };

function readJson(request: Request, text: string): Addition {
  const body = JSON.parse(text) as JsonBody;
  const { sections, sections_url } = body;
  const sources = body.items ?? [body];
  const items = sources.map(({ id, quantity, properties, parent_id, parent_line_key }): AddedItem => ({
    variant: String(id),
    quantity: Number(quantity ?? 1),
    properties: properties ?? {},
    isNested: !!parent_id || !!parent_line_key,
  }));
  return {
    items,
    sections: { sections, sections_url },
    extend(property, valueOf) {
      sources.forEach((source, index) => {
        const item = items[index];
        const value = item && valueOf(item);
        if (value) source.properties = { ...source.properties, [property]: value };
      });
      return withBody(request, JSON.stringify(body), request.headers);
    },
  };
}

function readForm(request: Request, form: FormData, isUrlEncoded: boolean): Addition {
  // Of several fields with one name, Shopify takes the last.
  const read = (name: string) => form.getAll(name).at(-1) as string | undefined;
  const parts = [...new Set(form.keys())].flatMap((name) => {
    const [, several] = /^(items\[\d+])\[id]$/.exec(name) ?? [];
    if (!several && name !== "id") return [];
    const nameOf = (field: string) => (several ? `${several}[${field}]` : field);
    const item: AddedItem = {
      variant: String(read(name)),
      quantity: Number(read(nameOf("quantity")) ?? 1),
      properties: readProperties(form, nameOf("properties")),
      isNested: !!read(nameOf("parent_id")) || !!read(nameOf("parent_line_key")),
    };
    return [{ item, nameOf }];
  });
  return {
    items: parts.map(({ item }) => item),
    sections: { sections: read("sections"), sections_url: read("sections_url") },
    extend(property, valueOf) {
      for (const { item, nameOf } of parts) {
        const value = valueOf(item);
        if (value) form.append(`${nameOf("properties")}[${property}]`, value);
      }
      // The browser writes the type: a form's data has a new boundary.
      const headers = new Headers(request.headers);
      headers.delete("content-type");
      const body = isUrlEncoded ? new URLSearchParams([...form] as [string, string][]) : form;
      return withBody(request, body, headers);
    },
  };
}

/** `properties[Gravure]`, and lists: `properties[Dates][]`. Empty ones do not reach the cart. */
function readProperties(form: FormData, prefix: string): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  for (const [field, value] of form) {
    const [, name, isList] =
      (field.startsWith(prefix) && /^\[(.+?)](\[])?$/.exec(field.slice(prefix.length))) || [];
    if (!name || !(typeof value === "string" ? value : value.size)) continue;
    const text = typeof value === "string" ? value : value.name;
    const list = properties[name];
    properties[name] = isList ? [...(Array.isArray(list) ? (list as unknown[]) : []), text] : text;
  }
  return properties;
}

/** `?parasol` tells cart-sync.ts that the plan is still to come. */
function withBody(
  { url, method, credentials, signal }: Request,
  body: BodyInit,
  headers: Headers,
): [string, RequestInit] {
  const address = new URL(url);
  address.searchParams.append("parasol", "");
  return [address.href, { method, headers, body, credentials, signal }];
}
