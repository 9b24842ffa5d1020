/** Common parts of all webhook payloads: JSON, times, ids, and the error for an unreadable body. */
import { z } from "zod";
import { AppError } from "#app/platform/app-error.ts";
import { cutText, storableJson } from "#app/platform/storable-text.ts";

/** A number beyond 2^53 has at least this number of consecutive digits. */
const MANY_DIGITS = /\d{16}/;

/**
 * Parses JSON of Shopify. Its ids are numbers that may exceed 2^53, where a double would change the last digits. Such
 * integers become their exact text.
 * @throws SyntaxError
 */
export function parsePlatformJson(text: string): unknown {
  const json = storableJson(text);
  // Checking each value takes five times as long as parsing, and few texts have such a number.
  if (!MANY_DIGITS.test(json)) return JSON.parse(json);
  return JSON.parse(json, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
      ? context?.source
      : value,
  );
}

const FIRST = Date.UTC(1900, 0);
const LAST = Date.UTC(9999, 0);

/**
 * A time in Shopify's format, within the years that `Date` and PostgreSQL write alike: after year 0 and before 10000.
 */
export const moment = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine((at) => FIRST <= at.getTime() && at.getTime() < LAST, "not a moment of our age");

/** A webhook's body does not match its topic. Processing it again is useless. */
export class UnreadablePayload extends AppError {
  override name = "UnreadablePayload";
}

/** A numeric id: a number that a double can hold, otherwise its text (`parsePlatformJson`). */
export const payloadId = z.union([z.string().regex(/^\d{1,20}$/), z.int().positive().transform(String)]);

/** A decimal amount of money. */
export const payloadAmount = z.union([z.string().regex(/^-?\d+(?:\.\d+)?$/), z.number()]);
const money = z.object({ amount: payloadAmount, currency_code: z.string().length(3) });
/** An amount in the shop's currency and in the customer's. */
export const payloadMoneySet = z.object({ shop_money: money, presentment_money: money.nullish() });

/** @throws UnreadablePayload */
export function parsePayload<T>(schema: z.ZodType<T>, body: string): T {
  return readPayload(() => schema.parse(parsePlatformJson(body)));
}

/** Converts errors of reading a payload into UnreadablePayload. @throws UnreadablePayload */
export function readPayload<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof z.ZodError) {
      throw new UnreadablePayload(cutText(z.prettifyError(error), 500), { cause: error });
    }
    // The parser's own message quotes the body.
    if (error instanceof SyntaxError) throw new UnreadablePayload("not JSON", { cause: error });
    // An invalid amount of money.
    if (error instanceof RangeError) throw new UnreadablePayload(error.message, { cause: error });
    throw error;
  }
}
