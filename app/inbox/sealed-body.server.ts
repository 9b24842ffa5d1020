/**
 * The body of a stored webhook: compressed, then sealed with the merchant's key. Sealed text cannot be compressed.
 */
import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";
import type { DataKey } from "#app/merchants/data-key.server.ts";
import { openBytes, seal } from "#app/platform/crypto.server.ts";

const purpose = (id: string) => `webhook ${id}`;

/** Fast compression: it already reduces most bodies to a quarter, and costs less than storing the rest. */
const options = { level: 1 };
/** Larger bodies are compressed in another thread. */
const SMALL_LENGTH = 65_536;
const compressLarge = promisify<Buffer, object, Buffer>(deflateRaw);

/** @param id the webhook's id in the inbox */
export async function sealBody(key: DataKey, id: string, body: string): Promise<string> {
  const bytes = Buffer.from(body);
  const compressed =
    bytes.length <= SMALL_LENGTH ? deflateRawSync(bytes, options) : await compressLarge(bytes, options);
  return seal(compressed, purpose(id), [key]);
}

/** @throws DecryptionError */
export function openBody(key: DataKey, id: string, sealed: string): string {
  return inflateRawSync(openBytes(sealed, purpose(id), [key])).toString("utf8");
}
