/**
 * JSON of the platform. Its ids are numbers that may exceed 2^53, where a double changes the last digits: whole
 * numbers that a double cannot hold come out as their exact text.
 * @throws SyntaxError
 */
export function parsePlatformJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
      ? context?.source
      : value,
  );
}
