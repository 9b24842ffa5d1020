/** The changed fields of a setting: `{"touchpoints.cart.on": true}`. */
import { excerpt } from "#app/platform/storable-text.ts";

export type AuditValues = Record<string, string | number | boolean | null>;

/** Longer values are cut: the log names the change and does not store whole texts. */
const LONGEST_VALUE = 300;
const MOST_FIELDS = 60;

/** Collects the fields of a value by path; a list is one value. */
function flatten(value: unknown, path: string, into: Map<string, AuditValues[string]>): void {
  if (value === undefined) return;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    for (const [name, part] of Object.entries(value))
      flatten(part, path === "" ? name : `${path}.${name}`, into);
  } else into.set(path, plain(value));
}

function plain(value: unknown): AuditValues[string] {
  if (value === null || typeof value === "number" || typeof value === "boolean") return value;
  const text = Array.isArray(value)
    ? value.join(", ")
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
  return excerpt(text, LONGEST_VALUE);
}

/** The fields that differ, with both values. A missing field is null. */
export function changedFields(before: unknown, after: unknown): { before: AuditValues; after: AuditValues } {
  const [oldValues, newValues] = [
    new Map<string, AuditValues[string]>(),
    new Map<string, AuditValues[string]>(),
  ];
  flatten(before, "", oldValues);
  flatten(after, "", newValues);
  const changed = [...new Set([...oldValues.keys(), ...newValues.keys()])]
    .filter((field) => (oldValues.get(field) ?? null) !== (newValues.get(field) ?? null))
    .slice(0, MOST_FIELDS);
  const side = (values: typeof oldValues) =>
    Object.fromEntries(changed.map((field) => [field, values.get(field) ?? null]));
  return { before: side(oldValues), after: side(newValues) };
}
