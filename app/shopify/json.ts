import { storableJson } from "#app/platform/storable-text.ts";

/** Fewer digits in a row cannot make a number beyond 2^53. */
const MANY_DIGITS = /\d{16}/;

/**
 * Parses JSON of the platform. Its ids are numbers that may exceed 2^53, where a double would change the last digits:
 * integers that a double cannot hold become their exact text.
 * @throws SyntaxError
 */
export function parsePlatformJson(text: string): unknown {
  const json = storableJson(text);
  // Checking each value costs five times as much as parsing, and hardly any text has such a number.
  if (!MANY_DIGITS.test(json)) return JSON.parse(json);
  return JSON.parse(json, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
      ? context?.source
      : value,
  );
}
