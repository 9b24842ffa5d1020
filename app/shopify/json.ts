import { storableJson } from "#app/platform/storable-text.ts";

/**
 * Parses JSON of the platform. Its ids are numbers that may exceed 2^53, where a double would change the last digits:
 * integers that a double cannot hold become their exact text.
 * @throws SyntaxError
 */
export function parsePlatformJson(text: string): unknown {
  return JSON.parse(storableJson(text), (_key, value: unknown, context?: { source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
      ? context?.source
      : value,
  );
}
