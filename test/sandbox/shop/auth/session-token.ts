/** The admin's session tokens (id tokens) for the app's page: JWT, HS256 with the app's API secret. */
import { randomUUID } from "node:crypto";
import { sign, verify } from "hono/jwt";
import { z } from "zod";

export interface SessionTokenClaims {
  apiKey: string;
  apiSecret: string;
  shopDomain: string;
  /** id of the staff member */
  userId: string;
  /** id of their admin session */
  sessionId: string;
}

/**
 * Lives 60 seconds, as Shopify's do.
 * @param at milliseconds since 1970, for an app whose clock is off
 */
export async function signSessionToken(
  { apiKey, apiSecret, shopDomain, userId, sessionId }: SessionTokenClaims,
  at = Date.now(),
): Promise<string> {
  const now = Math.floor(at / 1000);
  return sign(
    {
      iss: `https://${shopDomain}/admin`,
      dest: `https://${shopDomain}`,
      aud: apiKey,
      sub: userId,
      exp: now + 60,
      nbf: now,
      iat: now,
      jti: randomUUID(),
      sid: sessionId,
    },
    apiSecret,
    "HS256",
  );
}

/** The token of an extension in a signed-in customer's account. */
export function signCustomerToken(
  { apiKey, apiSecret, shopDomain }: Pick<SessionTokenClaims, "apiKey" | "apiSecret" | "shopDomain">,
  customerId: string,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const times = { exp: now + 300, nbf: now, iat: now };
  const sub = `gid://shopify/Customer/${customerId}`;
  return sign({ ...times, sub, dest: shopDomain, aud: apiKey, jti: randomUUID() }, apiSecret, "HS256");
}

const claims = z.object({ aud: z.string(), dest: z.url(), sub: z.string(), sid: z.string().optional() });

/** The user of a valid token for this app and shop; null for any other text. */
export async function readSessionToken(
  token: string,
  { apiKey, apiSecret, shopDomain }: Pick<SessionTokenClaims, "apiKey" | "apiSecret" | "shopDomain">,
): Promise<{ userId: string } | null> {
  let payload: unknown;
  try {
    payload = await verify(token, apiSecret, "HS256");
  } catch (error) {
    // Expired, not yet valid, malformed or wrongly signed: hono has a class for each, but the caller treats them alike.
    if (error instanceof Error && error.name.startsWith("Jwt")) return null;
    throw error;
  }
  const read = claims.safeParse(payload);
  if (!read.success || read.data.aud !== apiKey || new URL(read.data.dest).hostname !== shopDomain)
    return null;
  return { userId: read.data.sub };
}
