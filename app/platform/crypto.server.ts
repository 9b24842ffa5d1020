/**
 * Encrypts secrets and personal data at rest with AES-256-GCM. A sealed text is `<key id>.<iv>.<tag>.<ciphertext>`,
 * base64url. For key rotation the first key seals, and all keys open. The default keys are ENCRYPTION_KEYS.
 */
import { createCipheriv, createDecipheriv, type KeyObject, randomFillSync } from "node:crypto";
import { AppError } from "./app-error.ts";
import { env } from "./env.server.ts";

export interface Key {
  id: string;
  /**
   * 32 bytes, as a KeyObject: with plain bytes Node would create one for every text, which costs more than sealing
   */
  key: KeyObject;
}

/** The sealed text was altered or moved, or its key is not among the given keys. */
export class DecryptionError extends AppError {
  override name = "DecryptionError";
}

const IV_BYTES = 12;
const ivs = Buffer.alloc(IV_BYTES * 256);
let usedBytes = ivs.length;

/**
 * A random IV for a single use. Many are generated at once, because a system call for each costs a third of sealing.
 */
function nextIv(): Buffer {
  if (usedBytes === ivs.length) {
    randomFillSync(ivs);
    usedBytes = 0;
  }
  usedBytes += IV_BYTES;
  return ivs.subarray(usedBytes - IV_BYTES, usedBytes);
}

/** @param purpose binds the sealed text to its place (such as `session:<id>`): it does not open elsewhere */
export function seal(
  plain: string | Uint8Array,
  purpose: string,
  keys: readonly Key[] = env.ENCRYPTION_KEYS,
): string {
  const current = keys[0];
  if (!current) throw new AppError("Failed to encrypt: no key is configured (ENCRYPTION_KEYS)");
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
  const sealingKey = keys.find((candidate) => candidate.id === id);
  if (!sealingKey)
    throw new DecryptionError(
      `Failed to decrypt: no key with the id "${id ?? ""}" is configured (ENCRYPTION_KEYS)`,
    );
  if (iv === undefined || tag === undefined || body === undefined)
    throw new DecryptionError("Failed to decrypt: the value is not a sealed text");
  try {
    const decipher = createDecipheriv("aes-256-gcm", sealingKey.key, Buffer.from(iv, "base64url"), {
      authTagLength: 16,
    })
      .setAAD(Buffer.from(purpose))
      .setAuthTag(Buffer.from(tag, "base64url"));
    return Buffer.concat([decipher.update(body, "base64url"), decipher.final()]);
  } catch (cause) {
    throw new DecryptionError(`Failed to decrypt the secret for "${purpose}"`, { cause });
  }
}

/** The id of the key that sealed a text. */
function keyIdOf(sealed: string): string {
  return sealed.slice(0, Math.max(0, sealed.indexOf(".")));
}

/** A stored sealed value. */
export interface SealedValue {
  sealed: string;
  /** the purpose with which it was sealed */
  purpose: string;
  /** Stores `next` if `sealed` is still the stored value: a concurrent write is newer. */
  replace: (next: string) => Promise<unknown>;
}

/**
 * Rotates ENCRYPTION_KEYS: seals values of older keys again with the first key. It is safe while the app runs if all
 * processes have both keys: they read with either, and write with the first.
 * @returns the number of values sealed again
 * @throws DecryptionError if a value's key is no longer configured
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
