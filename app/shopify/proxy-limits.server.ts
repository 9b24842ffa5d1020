/**
 * How many requests of shoppers a process takes, through the app proxy and from customers' accounts: anybody can send
 * them, and each costs the database or the insurer something. Counted are only requests that Shopify
 * signed, so the limit of a shop can be used up only by way of that shop.
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

/** The window of the limits, in seconds; a product page sends one request for each variant that the shopper views. */
export const proxyLimits = {
  seconds: 10,
  ofClient: 100,
  ofShop: 500,
  /** variants and cart lines of a shop: what a request costs */
  lookUps: 1_000,
  /** requests of a shop that are worked on at once: others' must come in between */
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
 * @returns null where it is taken, else the seconds until the client may try again
 */
export async function countProxyRequest(shop: string, forwardedFor: string): Promise<number | null> {
  // The client first: what is refused to one client costs the shop's other shoppers nothing.
  return (
    (await countRequest(clients, `${shop} ${clientCounter(clientAddress(forwardedFor))}`)) ??
    (await countRequest(shops, shop))
  );
}

/**
 * Counts a request from a customer's account. Customers have limits of their own, as high as the storefront's: neither
 * keeps the other waiting.
 * @returns null where it is taken, else the seconds until the customer may try again
 */
export async function countCustomerRequest(shop: string, customerId: string): Promise<number | null> {
  const customers = accountsOf(shop);
  return (
    (await countRequest(clients, `${customers} ${clientCounter(customerId)}`)) ??
    (await countRequest(shops, customers))
  );
}

/** What the accounts of a shop's customers are counted under, and where their requests wait: `inShopSlot`. */
export const accountsOf = (shop: string) => `accounts of ${shop}`;

/**
 * The shopper's address as Shopify names it: the first of `X-Forwarded-For`; proxies of our own come after it. A
 * shopper may have invented it, so it is good for fairness alone.
 */
function clientAddress(forwardedFor: string): string {
  const [first = ""] = forwardedFor.split(",", 1);
  return networkOf(first);
}

/** The shops with requests under way. */
const slots = new Map<string, LimitFunction>();

/**
 * Processes a request of the shop when those before it are done.
 * @param cost how many variants or cart lines are looked up
 * @throws Response 429 where too many wait already, or the shop's limit is reached
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
