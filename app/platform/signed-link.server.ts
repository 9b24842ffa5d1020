/**
 * Handles requests for a URL with a signed part. Anybody may send them, and only those with a valid signature are
 * counted.
 */
import { RateLimiterMemory } from "rate-limiter-flexible";
import { countRequest } from "./request-limit.server.ts";
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { TooManyRequests } from "./customer-page.ts";
import { env } from "./env.server.ts";

// Signed parts of URLs that the app gives to shoppers: an id with a signature, so that a forged id costs no database
// query.

/** The target of a signed part: a signature for one purpose is not valid for another. */
export type SignedPurpose =
  | "quote links"
  | "withdrawal links"
  | "claim links"
  | "insurance links"
  | "draft order links"
  | "report links";

const keyOf = (secret: string, purpose: SignedPurpose) =>
  Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));

const signatureOf = (secret: string, purpose: SignedPurpose, shop: string, id: string): string =>
  createHmac("sha256", keyOf(secret, purpose))
    .update(`${shop} ${id}`)
    .digest()
    .subarray(0, 16)
    .toString("base64url");

/** @param id of letters, digits, `_` and `-` */
export function signPart(purpose: SignedPurpose, shop: string, id: string): string {
  return `${id}.${signatureOf(env.SHOPIFY_API_SECRET, purpose, shop, id)}`;
}

/** The id of a part that the app signed for the shop, also with a secret before a rotation; otherwise null. */
export function readSignedPart(purpose: SignedPurpose, shop: string, part: string): string | null {
  const [, id, signature] = /^([\w-]{1,40})\.([\w-]{22})$/.exec(part) ?? [];
  if (id === undefined || signature === undefined) return null;
  // Compares the text, not the decoded bytes: the last base64url character has unused bits.
  const signatureBytes = Buffer.from(signature);
  const { SHOPIFY_API_SECRET, SHOPIFY_API_SECRET_PREVIOUS: previous, SHOPIFY_API_SECRETS_FORMER } = env;
  const secrets = [
    SHOPIFY_API_SECRET,
    ...(previous === undefined ? [] : [previous]),
    ...SHOPIFY_API_SECRETS_FORMER,
  ];
  const isOurs = secrets.some((secret) => {
    const expected = Buffer.from(signatureOf(secret, purpose, shop, id));
    return signatureBytes.length === expected.length && timingSafeEqual(signatureBytes, expected);
  });
  return isOurs ? id : null;
}

/** The limit of each link: the signature does not let one link be changed into another. */
const requests = new RateLimiterMemory({ points: 30, duration: 60 });

/**
 * The shop and the signed id of a URL `…/:shop/:link`. Null: its signature is not valid.
 * @throws TooManyRequests
 */
export async function takeSignedLink(
  purpose: SignedPurpose,
  { shop = "", link = "" }: { shop?: string; link?: string },
): Promise<{ shop: string; id: string } | null> {
  const id = readSignedPart(purpose, shop, link);
  if (id === null) return null;
  const retryAfter = await countRequest(requests, `${purpose} ${shop} ${id}`);
  if (retryAfter !== null) throw new TooManyRequests(retryAfter);
  return { shop, id };
}
