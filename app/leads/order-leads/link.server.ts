/**
 * The address of our own that leads to a quote. It is signed, so that an invented one costs no look into the database,
 * and it leads only to the page that the service gave for this quote: nobody can have it lead elsewhere.
 */
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { env } from "#app/platform/env.server.ts";

const keyOf = (secret: string) => Buffer.from(hkdfSync("sha256", secret, "", "quote links", 32));

const signatureOf = (secret: string, shop: string, linkId: string): Buffer =>
  createHmac("sha256", keyOf(secret)).update(`${shop} ${linkId}`).digest().subarray(0, 16);

/** @param linkId of an OrderLead */
export function linkOf(shop: string, linkId: string): string {
  const signature = signatureOf(env.SHOPIFY_API_SECRET, shop, linkId).toString("base64url");
  return `${env.SHOPIFY_APP_URL}/quotes/${shop}/${linkId}.${signature}`;
}

/** The `linkId` of an address's last part; null where it is none of ours. */
export function readLink(shop: string, part: string): string | null {
  const [, linkId, signature] = /^([\w-]{22})\.([\w-]{22})$/.exec(part) ?? [];
  if (linkId === undefined || signature === undefined) return null;
  const given = Buffer.from(signature, "base64url");
  const secrets = [env.SHOPIFY_API_SECRET, env.SHOPIFY_API_SECRET_PREVIOUS].filter(
    (each) => each !== undefined,
  );
  const isOurs = secrets.some((secret) => {
    const expected = signatureOf(secret, shop, linkId);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isOurs ? linkId : null;
}
