/** The app's known access to the shop's orders. The hourly reconciliation updates it. */
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { readOrderAccess } from "#app/shopify/access.server.ts";
import type { OrderAccess } from "#app/shopify/order-access.ts";
import { readOrNull } from "#app/shopify/graphql.server.ts";
import { findMerchant } from "./merchant.server.ts";
import type { Merchant } from "./merchant.ts";

/** For a page: queries Shopify only if access was incomplete before. Null: Shopify does not respond. */
export async function currentOrderAccess({ shop, orderAccess }: Merchant): Promise<OrderAccess | null> {
  if (orderAccess === "full") return orderAccess;
  return readOrNull(shop, "the access to orders", (signal) => readOrderAccess(shop, signal));
}

/**
 * Queries Shopify and saves the result.
 * @param onFull runs when access becomes complete, before that is saved, so that the next call retries it after a
 * failure
 * @returns the current access; `unknown` does not replace a known one
 * @throws AdminRefused, AdminUnavailable, NoAccess, AbortError, and errors of `onFull`
 */
export async function refreshOrderAccess(
  shop: string,
  signal: AbortSignal,
  onFull: () => Promise<void>,
): Promise<OrderAccess> {
  const previousAccess = (await findMerchant(shop))?.orderAccess ?? "unknown";
  const answer = await readOrderAccess(shop, signal);
  const access = answer === "unknown" && previousAccess !== "none" ? previousAccess : answer;
  if (access === previousAccess) return access;
  if (access === "full") await onFull();
  log.info({ shop, before: previousAccess, now: access }, "The app's access to orders has changed");
  await db.merchant.updateMany({ where: { shop }, data: { orderAccess: access } });
  return access;
}
