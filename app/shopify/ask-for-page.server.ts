/** What a page shows of the shop beside the app's own data: the page opens without it. */
import { log } from "#app/platform/log.server.ts";
import { NoAccessError } from "./admin.server.ts";
import { AdminRefused, AdminUnavailable, adminCaller } from "./graphql.server.ts";
import type { AdminCall } from "./graphql.server.ts";

/** A page waits no longer: it is streamed, and the rest of it is there already. */
const PATIENCE_MS = 4_000;

/** Null: the shop cannot be asked now. @param what "the theme", for the log: "the theme cannot be read" */
export async function askForPage<T>(shop: string, what: string, call: AdminCall<T>): Promise<T | null> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    return await adminCaller(shop, { signal, attempts: 2 }).call(call);
  } catch (error) {
    const expected =
      signal.aborted ||
      error instanceof AdminRefused ||
      error instanceof AdminUnavailable ||
      error instanceof NoAccessError;
    if (!expected) throw error;
    log.warn({ err: error, shop }, `${what} cannot be read`);
    return null;
  }
}
