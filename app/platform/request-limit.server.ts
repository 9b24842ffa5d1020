/** Counts requests from outside, in the memory of a process. */
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

/** @param retryAfter seconds */
export function tooManyRequests(retryAfter: number): Response {
  const headers = { "retry-after": String(retryAfter), "cache-control": "no-store" };
  return Response.json({ error: "Too many requests" }, { status: 429, headers });
}
