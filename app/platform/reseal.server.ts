/** The rotation of ENCRYPTION_KEYS: what an older key sealed is sealed again with the first one. */
import { keyIdOf, openBytes, seal } from "./crypto.server.ts";
import { env } from "./env.server.ts";

/** A sealed value where it is stored. */
export interface SealedValue {
  sealed: string;
  /** as it was sealed for */
  purpose: string;
  /** Stores `next` where `sealed` is still the stored value: a value written meanwhile is newer. */
  replace: (next: string) => Promise<unknown>;
}

/**
 * Safe while the app runs, as long as its processes list both keys: they read either, and write with the first.
 * @returns how many were sealed again
 * @throws DecryptionError where a value's key is listed no more
 */
export async function resealAll(values: AsyncIterable<SealedValue>): Promise<number> {
  let count = 0;
  for await (const { sealed, purpose, replace } of values) {
    if (keyIdOf(sealed) === env.ENCRYPTION_KEYS[0]?.id) continue;
    await replace(seal(openBytes(sealed, purpose), purpose));
    count += 1;
  }
  return count;
}
