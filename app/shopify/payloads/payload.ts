/** What all webhook payloads have in common: their JSON, their ids, and the error for a body that is none. */
import { AppError } from "#app/platform/app-error.ts";
import { cutText } from "#app/platform/storable-text.ts";
import { z } from "zod";
import { parsePlatformJson } from "#app/shopify/json.ts";

/** A webhook's body is not what its topic promises. Processing it again would not change that. */
export class UnreadablePayload extends AppError {
  override name = "UnreadablePayload";
}

/** A numeric id: a number that a double holds, or its text where it does not (json.ts). */
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
