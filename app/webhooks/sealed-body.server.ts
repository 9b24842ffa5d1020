/** The body of a webhook as it is stored: compressed, because sealed text cannot be, then sealed with the merchant's key. */
import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";
import type { DataKey } from "#app/merchants/data-key.server.ts";
import { openBytes, seal } from "#app/platform/crypto.server.ts";

const purpose = (id: string) => `webhook ${id}`;

/** Fast: level 1 makes a quarter of most bodies already. */
const options = { level: 1 };
/** What takes longer is left to another thread. */
const SMALL_LENGTH = 65_536;
const deflateLarge = promisify(deflateRaw);

/** @param id the event's id in the inbox */
export async function sealBody(key: DataKey, id: string, body: string): Promise<string> {
  const bytes = Buffer.from(body);
  const deflated =
    bytes.length <= SMALL_LENGTH ? deflateRawSync(bytes, options) : await deflateLarge(bytes, options);
  return seal(deflated, purpose(id), [key]);
}

/** @throws CannotOpenError */
export function openBody(key: DataKey, id: string, sealed: string): string {
  return inflateRawSync(openBytes(sealed, purpose(id), [key])).toString("utf8");
}
