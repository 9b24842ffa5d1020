/** Shop data that a page shows beside its own: the page opens without it where the platform does not respond. */
import { log } from "#app/platform/log.server.ts";
import { createAdminClient } from "./graphql.server.ts";
import type { AdminRequest } from "./graphql.server.ts";
import { AdminRefused, AdminUnavailable, NoAccess } from "./errors.ts";
import type { AdminResult, AdminText } from "./operations.ts";

/** The page is streamed, and its other parts are shown already. */
const TIMEOUT_MS = 4_000;

/** Null: the platform cannot be reached, or refuses. @param what for the log: "the theme" */
export function queryOrNull<Text extends AdminText>(
  shop: string,
  what: string,
  query: Text,
  request: AdminRequest<Text>,
): Promise<AdminResult<Text> | null> {
  return readOrNull(shop, what, (signal) =>
    createAdminClient(shop, { signal, attempts: 2 }).request(query, request),
  );
}

/** `queryOrNull` for what is read in another way. @param read ends with its signal */
export async function readOrNull<T>(
  shop: string,
  what: string,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await read(signal);
  } catch (error) {
    const expected =
      signal.aborted ||
      error instanceof AdminRefused ||
      error instanceof AdminUnavailable ||
      error instanceof NoAccess;
    if (!expected) throw error;
    log.warn({ err: error, shop }, `Failed to read ${what} from the platform`);
    return null;
  }
}
