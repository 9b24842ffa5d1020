/**
 * Secrets at rest: AES-256-GCM. A sealed text is `<key id>.<iv>.<tag>.<ciphertext>`, base64url, so that keys can be
 * rotated: the first key of ENCRYPTION_KEYS seals, every key listed opens.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { env } from "./env.server.ts";

type Keys = readonly { id: string; key: Buffer }[];

/** The sealed text was altered, belongs elsewhere, or its key is no longer listed. */
export class DecryptionError extends Error {
  override name = "CannotOpenError";
}

/**
 * @param purpose binds the sealed text to its place (such as `session:<id>`): moved elsewhere, it does not open
 */
export function seal(plain: string, purpose: string, keys: Keys = env.ENCRYPTION_KEYS): string {
  const current = keys[0];
  if (!current) throw new Error("No encryption key is configured");
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", current.key, iv).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return [current.id, ...[iv, cipher.getAuthTag(), sealed].map((part) => part.toString("base64url"))].join(
    ".",
  );
}

/** @throws CannotOpenError */
export function open(sealed: string, purpose: string, keys: Keys = env.ENCRYPTION_KEYS): string {
  const [id, iv, tag, body] = sealed.split(".");
  const found = keys.find((candidate) => candidate.id === id);
  if (!found) throw new DecryptionError(`No key with the id "${id ?? ""}" is listed in ENCRYPTION_KEYS`);
  if (iv === undefined || tag === undefined || body === undefined)
    throw new DecryptionError("Not a sealed text");
  try {
    const decipher = createDecipheriv("aes-256-gcm", found.key, Buffer.from(iv, "base64url"), {
      authTagLength: 16,
    })
      .setAAD(Buffer.from(purpose))
      .setAuthTag(Buffer.from(tag, "base64url"));
    return decipher.update(body, "base64url", "utf8") + decipher.final("utf8");
  } catch (cause) {
    throw new DecryptionError(`The secret for "${purpose}" does not open`, { cause });
  }
}
