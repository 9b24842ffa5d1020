/**
 * Each merchant's key for the personal data of its customers. It is stored with the merchant, sealed by
 * ENCRYPTION_KEYS, so a rotation seals only the keys again. After a merchant's erasure nothing can open the data that
 * its key sealed (docs/decisions/0011-personal-data.md).
 */
import { AppError } from "#app/platform/app-error.ts";
import { createHmac, createSecretKey, hkdfSync, randomBytes } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type Key, openBytes, seal, type SealedValue } from "#app/platform/crypto.server.ts";
import { db } from "#app/platform/db.server.ts";

export interface DataKey extends Key {
  /** makes digests of e-mail addresses and other texts, to find sealed data by them */
  digestKey: KeyObject;
}

/** The shop has no merchant and so no key: it was erased, or never installed the app. */
export class NoDataKey extends AppError {
  override name = "NoDataKey";
}

/** Another process may erase the merchant, and the shop may install the app again with a new key. */
const CACHE_MS = 5 * 60_000;
/** Concurrent calls share one read of a key. */
const cache = new LRUCache<string, DataKey>({
  max: 5_000,
  ttl: CACHE_MS,
  fetchMethod: async (shop) => (await readDataKey(shop)) ?? undefined,
  // A caller that waits for a key that is forgotten in the meantime still gets it, but the cache does not keep it.
  ignoreFetchAbort: true,
});

/** Null if the shop is no merchant. The first use creates the key. */
export async function findDataKey(shop: string): Promise<DataKey | null> {
  return (await cache.fetch(shop)) ?? null;
}

/** @throws NoDataKey */
export async function dataKeyOf(shop: string): Promise<DataKey> {
  const key = await findDataKey(shop);
  if (!key) throw new NoDataKey(`${shop} has no key`);
  return key;
}

/** Removes a key from the cache, so that the next use reads it again. */
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
  // If two processes create a key, the first one wins, and the other one reads it.
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

/** A keyed digest for look-ups, which ignores case. */
export function digest({ digestKey }: DataKey, text: string): string {
  return createHmac("sha256", digestKey).update(text.toLowerCase()).digest("base64url");
}
