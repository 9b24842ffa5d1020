/**
 * Each merchant's own key for the personal data of its customers. It is kept with the merchant, sealed by
 * ENCRYPTION_KEYS, so that rotation seals keys again and no data; when the merchant is erased, what was sealed with it
 * opens nowhere any more (docs/decisions/0011-personal-data.md).
 */
import { AppError } from "#app/platform/app-error.ts";
import { createHmac, createSecretKey, hkdfSync, randomBytes } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type Key, openBytes, seal, type SealedValue } from "#app/platform/crypto.server.ts";
import { db } from "#app/platform/db.server.ts";

export interface DataKey extends Key {
  /** finds what was sealed by its text: the digest of an e-mail address, say, cannot be made without the key */
  digestKey: KeyObject;
}

/** There is no merchant, so there is no key: the shop was erased, or never installed the app. */
export class NoDataKey extends AppError {
  override name = "NoDataKey";
}

/** Another process may have erased the merchant, and the shop installed the app again, with another key. */
const CACHE_MS = 5 * 60_000;
/** Concurrent calls wait for the same reading of a key. */
const cache = new LRUCache<string, DataKey>({
  max: 5_000,
  ttl: CACHE_MS,
  fetchMethod: async (shop) => (await readDataKey(shop)) ?? undefined,
  // Who waits for a key that is forgotten meanwhile still gets an answer; it is not remembered.
  ignoreFetchAbort: true,
});

/** Null where the shop is no merchant. The first use makes the key. */
export async function findDataKey(shop: string): Promise<DataKey | null> {
  return (await cache.fetch(shop)) ?? null;
}

/** @throws NoDataKey */
export async function dataKeyOf(shop: string): Promise<DataKey> {
  const key = await findDataKey(shop);
  if (!key) throw new NoDataKey(`${shop} has no key`);
  return key;
}

/** The next use reads the key again. */
export function forgetDataKey(shop: string): void {
  cache.delete(shop);
}

async function readDataKey(shop: string): Promise<DataKey | null> {
  const select = { dataKeyId: true, sealedDataKey: true };
  const row = await db.merchant.findUnique({ where: { shop }, select });
  if (!row) return null;
  if (row.dataKeyId !== null && row.sealedDataKey !== null) {
    return openKey(shop, row.dataKeyId, row.sealedDataKey);
  }
  const id = randomBytes(9).toString("base64url");
  const sealedDataKey = seal(randomBytes(32), purpose(shop, id));
  const data = { dataKeyId: id, sealedDataKey };
  const { count } = await db.merchant.updateMany({ where: { shop, dataKeyId: null }, data });
  // Of two processes that make one, the first wins, and the other reads it.
  return count === 1 ? openKey(shop, id, sealedDataKey) : readDataKey(shop);
}

/** The keys of all merchants, for the rotation of the keys that seal them. */
export async function* sealedDataKeys(): AsyncIterable<SealedValue> {
  for (const { shop, dataKeyId, sealedDataKey } of await db.merchant.findMany()) {
    if (dataKeyId === null || sealedDataKey === null) continue;
    yield {
      sealed: sealedDataKey,
      purpose: purpose(shop, dataKeyId),
      replace: (next) =>
        db.merchant.updateMany({ where: { shop, sealedDataKey }, data: { sealedDataKey: next } }),
    };
  }
}

const purpose = (shop: string, id: string) => `data-key:${shop}:${id}`;

function openKey(shop: string, id: string, sealedDataKey: string): DataKey {
  const key = createSecretKey(openBytes(sealedDataKey, purpose(shop, id)));
  const digestKey = createSecretKey(new Uint8Array(hkdfSync("sha256", key, "", "digest", 32)));
  return { id, key, digestKey };
}

/** The same for the same text in either case: to find by, not to read. */
export function digest({ digestKey }: DataKey, text: string): string {
  return createHmac("sha256", digestKey).update(text.toLowerCase()).digest("base64url");
}
