/** What all webhook payloads have in common: JSON, moments, ids, and the error for a body that is none. */
import { z } from "zod";
import { AppError } from "#app/platform/app-error.ts";
import { cutText, storableJson } from "#app/platform/storable-text.ts";

/** Fewer digits in a row cannot make a number beyond 2^53. */
const MANY_DIGITS = /\d{16}/;

/**
 * Parses JSON of Shopify. Its ids are numbers that may exceed 2^53, where a double would change the last digits:
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

const FIRST = Date.UTC(1900, 0);
const LAST = Date.UTC(9999, 0);

/** A moment as Shopify writes it, in an age that a `Date` and PostgreSQL write alike: neither in year 0 nor in 10000. */
export const moment = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine((at) => FIRST <= at.getTime() && at.getTime() < LAST, "not a moment of our age");

/** A webhook's body is not what its topic promises. Processing it again would not change that. */
export class UnreadablePayload extends AppError {
  override name = "UnreadablePayload";
}

/** A numeric id: a number that a double holds, or its text where it does not (`parsePlatformJson`). */
export const payloadId = z.union([z.string().regex(/^\d{1,20}$/), z.int().positive().transform(String)]);

/** @throws UnreadablePayload */
export function parsePayload<T>(schema: z.ZodType<T>, body: string): T {
  return readPayload(() => schema.parse(parsePlatformJson(body)));
}

/** Converts the errors of reading a payload into one. @throws UnreadablePayload */
export function readPayload<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof z.ZodError) {
      throw new UnreadablePayload(cutText(z.prettifyError(error), 500), { cause: error });
    }
    // The parser's own words quote the body.
    if (error instanceof SyntaxError) throw new UnreadablePayload("not JSON", { cause: error });
    // An amount of money that is none.
    if (error instanceof RangeError) throw new UnreadablePayload(error.message, { cause: error });
    throw error;
  }
}
