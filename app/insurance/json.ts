/** Parses the service's JSON. */
import { isDeepJson } from "#app/platform/deep-json.ts";
import { storableJson } from "#app/platform/storable-text.ts";

/**
 * @param exactDecimals keep numbers written with a decimal point as text
 * @throws SyntaxError, also for lists in lists without end
 */
export function parseJson(json: Uint8Array, exactDecimals = false): unknown {
  const sent = new TextDecoder().decode(json);
  // Tens of megabytes of nested lists would take all memory before the parser refuses them.
  if (isDeepJson(sent)) throw new SyntaxError("Failed to parse JSON: nested too deeply");
  const text = storableJson(sent);
  try {
    if (!exactDecimals) return JSON.parse(text);
    return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
      typeof value === "number" && /^-?\d+\.\d+$/.test(context?.source ?? "") ? context?.source : value,
    );
  } catch (error) {
    // A shorter text's lists in lists may still be too deep for a reviver.
    if (error instanceof RangeError)
      throw new SyntaxError("Failed to parse JSON: nested too deeply", { cause: error });
    throw error;
  }
}
