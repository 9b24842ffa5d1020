/** The body of a stored webhook: compressed, because sealed text cannot be, then sealed with the merchant's key. */
import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";
import type { DataKey } from "#app/merchants/data-key.server.ts";
import { openBytes, seal } from "#app/platform/crypto.server.ts";

const purpose = (id: string) => `webhook ${id}`;

/** Fast: it makes a quarter of most bodies already, for less than the database would take to store the rest. */
const options = { level: 1 };
/** What takes longer is left to another thread. */
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
