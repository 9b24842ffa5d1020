/** Settings that are shown as a form and saved whole: two windows must not undo each other without a word. */
import { createHash } from "node:crypto";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";

/** Names settings as they are: a page that shows them sends it back with what it saves. */
export function versionOf(settings: unknown): string {
  return createHash("sha256").update(JSON.stringify(settings)).digest("base64url").slice(0, 22);
}

/** The version that a page sends as `?version=`. Null: the page has loaded no version. */
export function versionIn(request: Request): string | null {
  return new URL(request.url).searchParams.get("version");
}

/**
 * Saves settings unless others were saved since the version that was shown. One form of a shop at a time.
 * @returns false: they are others by now, nothing was saved
 */
export async function saveIfUnchanged<Settings>(
  shop: string,
  version: string | null,
  read: (tx: Transaction) => Promise<Settings>,
  write: (tx: Transaction, before: Settings) => Promise<void>,
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT 1 FROM "Merchant" WHERE shop = ${shop} FOR NO KEY UPDATE`;
    const before = await read(tx);
    if (version !== null && versionOf(before) !== version) return false;
    await write(tx, before);
    return true;
  });
}
