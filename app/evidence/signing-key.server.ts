/**
 * The key that signs a shop's evidence packs. It comes of the shop's data key, so that it stays the same when
 * ENCRYPTION_KEYS are rotated, and ends with the shop.
 */
import { createHash, createPrivateKey, hkdfSync, type KeyObject } from "node:crypto";
import { findDataKey } from "#app/merchants/data-key.server.ts";
import { env } from "#app/platform/env.server.ts";
import { publicKeyOf } from "./pack.ts";

/** An Ed25519 private key as PKCS #8 (RFC 8410): what comes before its 32 bytes. */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** Null: the shop is no merchant. */
export async function signingKeyOf(shop: string): Promise<KeyObject | null> {
  const dataKey = await findDataKey(shop);
  if (dataKey === null) return null;
  const seed = new Uint8Array(hkdfSync("sha256", dataKey.key, "", "evidence", 32));
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
}

/** Where anybody can read it. */
export const keyAddress = (shop: string): string => `${env.SHOPIFY_APP_URL}/evidence/${shop}`;

/** What is published of the key; null: the shop is no merchant. */
export async function publishedKey(shop: string): Promise<string | null> {
  const signingKey = await signingKeyOf(shop);
  if (signingKey === null) return null;
  const key = publicKeyOf(signingKey);
  return [
    `Evidence packs of ${shop} are signed with this Ed25519 key.`,
    `SHA-256 fingerprint: ${createHash("sha256").update(key).digest("hex")}`,
    `Public key (SPKI, base64): ${key.toString("base64")}`,
    "",
  ].join("\n");
}
