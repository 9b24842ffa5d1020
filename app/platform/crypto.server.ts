/**
 * Secrets and personal data at rest: AES-256-GCM. A sealed text is `<key id>.<iv>.<tag>.<ciphertext>`, base64url, so
 * that keys can be rotated: the first key given seals, every key given opens. Without keys those of ENCRYPTION_KEYS.
 */
import { createCipheriv, createDecipheriv, type KeyObject, randomFillSync } from "node:crypto";
import { AppError } from "./app-error.ts";
import { env } from "./env.server.ts";

export interface Key {
  id: string;
  /** of 32 bytes. Not the bytes themselves: Node would make a key of them again for every text, which costs more than sealing it */
  key: KeyObject;
}

/** The sealed text was altered, belongs elsewhere, or its key is not among the keys given. */
export class DecryptionError extends AppError {
  override name = "DecryptionError";
}

const IV_BYTES = 12;
const ivs = Buffer.alloc(IV_BYTES * 256);
let usedBytes = ivs.length;

/** Random, each used once. Many are drawn together: one system call for each costs a third of sealing. */
function nextIv(): Buffer {
  if (usedBytes === ivs.length) {
    randomFillSync(ivs);
    usedBytes = 0;
  }
  usedBytes += IV_BYTES;
  return ivs.subarray(usedBytes - IV_BYTES, usedBytes);
}

/**
 * @param purpose binds the sealed text to its place (such as `session:<id>`): moved elsewhere, it does not open
 */
export function seal(
  plain: string | Uint8Array,
  purpose: string,
  keys: readonly Key[] = env.ENCRYPTION_KEYS,
): string {
  const current = keys[0];
  if (!current) throw new AppError("No encryption key is configured");
  const iv = nextIv();
  const cipher = createCipheriv("aes-256-gcm", current.key, iv).setAAD(Buffer.from(purpose));
  const bytes = typeof plain === "string" ? Buffer.from(plain) : plain;
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return [current.id, ...[iv, cipher.getAuthTag(), sealed].map((part) => part.toString("base64url"))].join(
    ".",
  );
}

/** @throws DecryptionError */
export function open(sealed: string, purpose: string, keys: readonly Key[] = env.ENCRYPTION_KEYS): string {
  return openBytes(sealed, purpose, keys).toString("utf8");
}

/** @throws DecryptionError */
export function openBytes(
  sealed: string,
  purpose: string,
  keys: readonly Key[] = env.ENCRYPTION_KEYS,
): Buffer {
  const [id, iv, tag, body] = sealed.split(".");
  const found = keys.find((candidate) => candidate.id === id);
  if (!found)
    throw new DecryptionError(
      `Failed to decrypt: no key with the id "${id ?? ""}" is configured (ENCRYPTION_KEYS)`,
    );
  if (iv === undefined || tag === undefined || body === undefined)
    throw new DecryptionError("Not a sealed text");
  try {
    const decipher = createDecipheriv("aes-256-gcm", found.key, Buffer.from(iv, "base64url"), {
      authTagLength: 16,
    })
      .setAAD(Buffer.from(purpose))
      .setAuthTag(Buffer.from(tag, "base64url"));
    return Buffer.concat([decipher.update(body, "base64url"), decipher.final()]);
  } catch (cause) {
    throw new DecryptionError(`Failed to decrypt the secret for "${purpose}"`, { cause });
  }
}

/** The id of the key that a text was sealed with. */
function keyIdOf(sealed: string): string {
  return sealed.slice(0, Math.max(0, sealed.indexOf(".")));
}

/** A sealed value where it is stored. */
export interface SealedValue {
  sealed: string;
  /** as it was sealed for */
  purpose: string;
  /** Stores `next` where `sealed` is still the stored value: a value written meanwhile is newer. */
  replace: (next: string) => Promise<unknown>;
}

/**
 * The rotation of ENCRYPTION_KEYS: what an older key sealed is sealed again with the first one.
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
