/** Finds what a merchant changed in a plan product by hand: put back or kept, as the merchant chose. */

export type OnManualEdit = "restore" | "keep";

export interface ManualEdit {
  variantId: string | null;
  field: string;
  ours: string;
  theirs: string;
  outcome: "restored" | "kept";
}

export type ResolveFields = <Key extends string, T extends Record<Key, unknown>>(
  variantId: string | null,
  keys: readonly Key[],
  wanted: T,
  found: T,
  written: readonly T[],
) => T;

/**
 * Decides field by field, and adds what a merchant changed to `edits`.
 *
 * `written` is what the app wrote last: nothing where it has no record of it, two values where it is not known whether
 * the last write took place.
 */
export function createFieldResolver(onManualEdit: OnManualEdit, edits: ManualEdit[]): ResolveFields {
  return (variantId, keys, wanted, found, written) => {
    const result = { ...wanted };
    for (const key of keys) {
      if (written.length === 0 || [...written, wanted].some((ours) => isSameText(found[key], ours[key]))) {
        continue;
      }
      if (onManualEdit === "keep") result[key] = found[key];
      edits.push({
        variantId,
        field: key,
        ours: String(wanted[key]),
        theirs: String(found[key]),
        outcome: onManualEdit === "keep" ? "kept" : "restored",
      });
    }
    return result;
  };
}

/** The platform rewrites the HTML that it is given: entities, spaces between tags, attributes. These are no edits. */
export function isSameText(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "string" && typeof b === "string" && normaliseHtml(a) === normaliseHtml(b));
}

function normaliseHtml(html: string): string {
  if (!html.includes("<")) return html;
  return (
    html
      .replace(/&(?:#39|apos);/g, "'")
      .replace(/&quot;/g, '"')
      .replace(/&nbsp;|\s/g, " ")
      .replace(/ +/g, " ")
      // A tag holds no "<": text with very many of them is not searched to its end for each.
      .replace(/ ?(<[^<>]*>) ?/g, "$1")
      .trim()
  );
}
