/** JSON as the platform writes it: ids are numbers, however large. */

declare global {
  interface JSON {
    /** ES2026; Node has it, TypeScript's library does not list it yet. */
    rawJSON(text: string): unknown;
  }
}

/** The digits of an id as they are: a double would change those above 2^53. */
export function numericId(id: string): unknown {
  if (!/^\d+$/.test(id)) throw new TypeError(`not a numeric id: ${id}`);
  return JSON.rawJSON(id);
}
