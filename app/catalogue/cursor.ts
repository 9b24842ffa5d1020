/** Cursors of the catalogue's lists: the last row's sort key as JSON. */
import type { z } from "zod";

export function writeCursor(key: readonly (string | number)[]): string {
  return JSON.stringify(key);
}

/** Null where there is none or it cannot be read: the first page is meant. */
export function readCursor<T>(schema: z.ZodType<T>, given: string | null): T | null {
  if (given === null) return null;
  try {
    return schema.safeParse(JSON.parse(given)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
