/** Counts requests from outside, in the memory of a process. */
import { createHash } from "node:crypto";
import { RateLimiterRes } from "rate-limiter-flexible";
import type { RateLimiterMemory } from "rate-limiter-flexible";

/** @returns null where the points are available, else the seconds until they are */
export async function countRequest(
  limiter: RateLimiterMemory,
  key: string,
  points = 1,
): Promise<number | null> {
  try {
    await limiter.consume(key, points);
    return null;
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    return Math.max(1, Math.ceil(refused.msBeforeNext / 1_000));
  }
}

/**
 * Limit of counters of clients in each shop, which clients share: an address in a header is only a claim, and invented
 * ones must not fill the memory.
 */
const COUNTERS = 1_024;

/** The counter of a client, by its address or another name. */
export function clientCounter(client: string): number {
  return createHash("sha256").update(client).digest().readUInt32BE() % COUNTERS;
}

/** What counts of an address. Of an IPv6 address it is the network (its first 64 bits): one client has many addresses there. */
export function networkOf(address: string): string {
  const [network = ""] = address.trim().toLowerCase().split("::", 1);
  return network.split(":").slice(0, 4).join(":");
}

/**
 * The counter of who sent a request: the last of `X-Forwarded-For` is what the installation's own proxy saw, the others
 * are the client's claims.
 */
export const counterOf = ({ headers }: Request): number =>
  clientCounter(networkOf((headers.get("x-forwarded-for") ?? "").split(",").at(-1) ?? ""));

/** @param retryAfter seconds */
export function tooManyRequests(retryAfter: number): Response {
  const headers = { "retry-after": String(retryAfter), "cache-control": "no-store" };
  return Response.json({ error: "Too many requests" }, { status: 429, headers });
}
