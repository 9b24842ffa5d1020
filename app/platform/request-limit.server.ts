/** Limits external requests with counters in the memory of a process. */
import { createHash } from "node:crypto";
import { RateLimiterRes } from "rate-limiter-flexible";
import type { RateLimiterMemory } from "rate-limiter-flexible";

/** @returns null if the request is within the limit, otherwise the seconds until a retry */
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
 * Number of client counters in each shop, shared by all its clients. An address in a header may be forged, and forged
 * ones must not fill the memory.
 */
const COUNTERS = 1_024;

/** The counter of a client, from its address or another name. */
export function clientCounter(client: string): number {
  return createHash("sha256").update(client).digest().readUInt32BE() % COUNTERS;
}

/**
 * The counted part of an address. For IPv6 it is the network (the first 64 bits), because one client has many
 * addresses there.
 */
export function networkOf(address: string): string {
  const [network = ""] = address.trim().toLowerCase().split("::", 1);
  return network.split(":").slice(0, 4).join(":");
}

/**
 * The counter of a request's sender. Our own proxy adds the last address of `X-Forwarded-For`; the client may have
 * forged the others.
 */
export const counterOf = ({ headers }: Request): number =>
  clientCounter(networkOf((headers.get("x-forwarded-for") ?? "").split(",").at(-1) ?? ""));

/** @param retryAfter seconds */
export function tooManyRequests(retryAfter: number): Response {
  const headers = { "retry-after": String(retryAfter), "cache-control": "no-store" };
  return Response.json({ error: "Too many requests" }, { status: 429, headers });
}
