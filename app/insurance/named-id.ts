/**
 * The id that the answer to a creation names although the rest of it does not say what was created: in the Location
 * header, or in a body of any status. What it names is read by itself, so a wrong guess does no harm.
 */
import type { ReceivedHeaders } from "./response.ts";

const ID_KEYS = ["contract_id", "contractId", "plan_id", "planId", "id"];
const MAX_DEPTH = 3;

/** @returns null: it names none */
export function namedId(body: Buffer, { location }: ReceivedHeaders, resource: string): string | null {
  const linked = typeof location === "string" ? idInLink(location, resource) : null;
  return linked ?? idIn(parsed(body), MAX_DEPTH);
}

/** The segment after the resource's name. */
function idInLink(link: string, resource: string): string | null {
  const segments = link.replace(/[?#].*$/s, "").split("/");
  const segment = segments[segments.lastIndexOf(resource) + 1];
  if (!segments.includes(resource) || segment === undefined) return null;
  try {
    return idOf(decodeURIComponent(segment));
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

function parsed(body: Buffer): unknown {
  try {
    // Long numbers are identifiers, which no double holds.
    return JSON.parse(body.toString("utf8").replace(/(:\s*)(\d{16,})(?=\s*[,}])/g, '$1"$2"'));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

function idIn(value: unknown, depth: number): string | null {
  if (depth === 0 || typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) return value.length === 1 ? idIn(value[0], depth) : null;
  const entries = new Map<string, unknown>(Object.entries(value));
  for (const key of ID_KEYS) {
    const id = idOf(entries.get(key));
    if (id !== null) return id;
  }
  for (const part of entries.values()) {
    const id = idIn(part, depth - 1);
    if (id !== null) return id;
  }
  return null;
}

function idOf(value: unknown): string | null {
  const id = typeof value === "number" ? String(value) : value;
  // A contract number is a short word: anything else is not kept, and is in no log.
  return typeof id === "string" && /^[\w.:/#-]{1,100}$/.test(id) ? id : null;
}
