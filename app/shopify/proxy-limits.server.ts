/**
 * Limits of shoppers' requests per process, through the app proxy and from customers' accounts. Anybody can send
 * them, and each costs a query of the database or the insurer. Only requests signed by Shopify count, so a shop's
 * limit cannot be used up from outside that shop.
 */
import pLimit from "p-limit";
import type { LimitFunction } from "p-limit";
import { RateLimiterMemory } from "rate-limiter-flexible";
import {
  clientCounter,
  countRequest,
  networkOf,
  tooManyRequests,
} from "#app/platform/request-limit.server.ts";

/**
 * Limits per window. The window is in seconds; a product page sends one request for each variant that the shopper
 * views.
 */
export const proxyLimits = {
  seconds: 10,
  ofClient: 100,
  ofShop: 500,
  /** variants and cart lines per shop: the cost of its requests */
  lookUps: 1_000,
  /** concurrent requests per shop, so that other shops' requests are processed in between */
  atOnce: 2,
  waiting: 100,
} as const;

const duration = proxyLimits.seconds;
const clients = new RateLimiterMemory({ points: proxyLimits.ofClient, duration });
const shops = new RateLimiterMemory({ points: proxyLimits.ofShop, duration });
const lookUps = new RateLimiterMemory({ points: proxyLimits.lookUps, duration });

/**
 * Counts a request of the shop.
 * @param forwardedFor the request's `X-Forwarded-For`
 * @returns null if it is accepted, otherwise the seconds until a retry
 */
export async function countProxyRequest(shop: string, forwardedFor: string): Promise<number | null> {
  // The client's limit first, so that its refused requests do not count for the shop's other shoppers.
  return (
    (await countRequest(clients, `${shop} ${clientCounter(clientAddress(forwardedFor))}`)) ??
    (await countRequest(shops, shop))
  );
}

/**
 * Counts a request from a customer's account. Customers have separate limits of the same size, so that accounts and
 * the storefront do not slow each other down.
 * @returns null if it is accepted, otherwise the seconds until a retry
 */
export async function countCustomerRequest(shop: string, customerId: string): Promise<number | null> {
  const customers = accountsOf(shop);
  return (
    (await countRequest(clients, `${customers} ${clientCounter(customerId)}`)) ??
    (await countRequest(shops, customers))
  );
}

/** The key for a shop's customer accounts in the counters and in `inShopSlot`. */
export const accountsOf = (shop: string) => `accounts of ${shop}`;

/**
 * The shopper's address from Shopify: the first of `X-Forwarded-For`, followed by our own proxies. A shopper may have
 * forged it, so use it only for fairness.
 */
function clientAddress(forwardedFor: string): string {
  const [first = ""] = forwardedFor.split(",", 1);
  return networkOf(first);
}

/** The shops with active requests. */
const slots = new Map<string, LimitFunction>();

/**
 * Processes a request of the shop after the earlier ones.
 * @param cost the number of variants or cart lines to look up
 * @throws Response 429 if too many requests wait already, or the shop's limit is reached
 */
export async function inShopSlot<T>(shop: string, cost: number, work: () => Promise<T>): Promise<T> {
  const retryAfter = await countRequest(lookUps, shop, cost);
  if (retryAfter !== null) throw tooManyRequests(retryAfter);
  const ofShop = slots.get(shop) ?? pLimit(proxyLimits.atOnce);
  if (ofShop.activeCount + ofShop.pendingCount >= proxyLimits.atOnce + proxyLimits.waiting)
    throw tooManyRequests(1);
  slots.set(shop, ofShop);
  try {
    return await ofShop(work);
  } finally {
    if (ofShop.activeCount + ofShop.pendingCount === 0) slots.delete(shop);
  }
}
