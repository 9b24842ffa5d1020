/** What a page shows of the shop beside the app's own data: the page opens without it. */
import { log } from "#app/platform/log.server.ts";
import { createAdminClient } from "./graphql.server.ts";
import type { AdminOperation } from "./graphql.server.ts";
import { AdminRefused, AdminUnavailable, NoAccess } from "./errors.ts";

/** A page waits no longer: it is streamed, and the rest of it is there already. */
const TIMEOUT_MS = 4_000;

/** Null: the shop cannot be asked now. @param what "the theme", for the log: "the theme cannot be read" */
export async function queryOrNull<T>(shop: string, what: string, call: AdminOperation<T>): Promise<T | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await createAdminClient(shop, { signal, attempts: 2 }).request(call);
  } catch (error) {
    const expected =
      signal.aborted ||
      error instanceof AdminRefused ||
      error instanceof AdminUnavailable ||
      error instanceof NoAccess;
    if (!expected) throw error;
    log.warn({ err: error, shop }, `${what} cannot be read`);
    return null;
  }
}
