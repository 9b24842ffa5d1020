/** Whether the storefront's scripts reach the app under the path that the settings name. */
import { z } from "zod";
import { chunksOf, readBytes } from "#app/platform/body.server.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";

/**
 * `reached`: the app answered; `elsewhere`: another page of the shop did; `unknown`: the shop does not respond, or it
 * redirects visitors first (a password page, its own domain).
 */
export type ProxyState = "reached" | "elsewhere" | "unknown";

/** The merchant waits for it while the page is shown already. */
const TIMEOUT_MS = 5_000;
/** The app's answer to a question without variants, as app/routes/proxy.offers.tsx gives it. */
const ownAnswer = z.object({ error: z.string().startsWith("variants:") });

/** The path may be another app's, which answers what it likes. */
const LONGEST_ANSWER = 4_096;

function isOwnAnswer(bytes: Buffer): boolean {
  try {
    return ownAnswer.safeParse(JSON.parse(bytes.toString())).success;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/**
 * Sends a request to the shop, as a shopper's browser would. Redirects are not followed: they lead to a domain that the
 * shop's owner controls.
 */
export async function checkProxyPath(shop: string, path: string): Promise<ProxyState> {
  const origin = env.SANDBOX_SHOP_ORIGIN ?? `https://${shop}`;
  try {
    const response = await fetch(`${origin}${path}/offers`, {
      headers: { accept: "application/json", "x-sandbox-shop": shop },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 400 && response.body !== null)
      return isOwnAnswer(await readBytes(chunksOf(response.body), LONGEST_ANSWER)) ? "reached" : "unknown";
    await response.body?.cancel();
    return response.status === 404 ? "elsewhere" : "unknown";
  } catch (error) {
    log.info({ err: error, shop }, "Failed to check the app proxy's path: the shop did not respond");
    return "unknown";
  }
}
