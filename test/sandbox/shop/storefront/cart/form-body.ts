/** `properties[name]`, `items[0][id]`, `items[][id]`: form fields as the nested objects they encode. */

interface Nested {
  [key: string]: string | Nested;
}

export function formToObject(form: FormData | URLSearchParams): Nested {
  const result: Nested = {};
  for (const [name, value] of form.entries()) {
    if (typeof value !== "string") continue;
    const path = [...name.matchAll(/([^[\]]+)|\[\]/g)].map((match) => match[1] ?? "");
    put(result, path, value);
  }
  return result;
}

function put(at: Nested, path: string[], value: string): void {
  const [key = "", ...rest] = path;
  if (rest.length === 0) {
    at[key] = value;
    return;
  }
  const name = key === "" ? openEntry(at, rest) : key;
  const next = at[name];
  const child: Nested = typeof next === "object" ? next : {};
  at[name] = child;
  put(child, rest, value);
}

/** `items[][id]` starts a new entry when the last one has that field already. */
function openEntry(list: Nested, rest: string[]): string {
  const last = Object.keys(list).length - 1;
  const entry = list[String(last)];
  return typeof entry === "object" && !((rest[0] ?? "") in entry) ? String(last) : String(last + 1);
}
