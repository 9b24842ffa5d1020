/**
 * The Admin API's rate limit: a bucket of query cost points per shop, refilled every second and shared by all the app's
 * requests for the shop. Each response says how full it is.
 */
import { LRUCache } from "lru-cache";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";

const throttleStatus = z.object({
  maximumAvailable: z.number(),
  currentlyAvailable: z.number(),
  restoreRate: z.number().positive(),
});
type ThrottleStatus = z.infer<typeof throttleStatus>;

/** `extensions.cost` of a response. */
export const queryCost = z.object({
  requestedQueryCost: z.number(),
  actualQueryCost: z.number().nullish(),
  throttleStatus,
});
export type QueryCost = z.infer<typeof queryCost>;

/** Each shop's bucket as of its last response; `at` of the clock that never goes back, as the machine's may. */
const buckets = new LRUCache<string, ThrottleStatus & { at: number }>({ max: 10_000 });

export function updateBucket(shop: string, status: ThrottleStatus): void {
  buckets.set(shop, { ...status, at: performance.now() });
}

/** The part of a bucket that background work leaves to other requests. */
const RESERVED_SHARE = 0.5;

/**
 * Waits until the shop's bucket, as far as known, holds the points.
 * @param isBackground half a bucket is left to what a customer or merchant waits for
 * @throws AbortError
 */
export async function waitForPoints(
  shop: string,
  points: number,
  { signal, isBackground }: { signal: AbortSignal | undefined; isBackground: boolean },
): Promise<void> {
  const bucket = buckets.get(shop);
  if (!bucket) return;
  const reserved = isBackground ? bucket.maximumAvailable * RESERVED_SHARE : 0;
  const missing = Math.min(points + reserved, bucket.maximumAvailable) - availableIn(bucket);
  if (missing > 0) await wait(Math.ceil((missing / bucket.restoreRate) * 1_000), undefined, { signal });
}

/** Whether the shop's bucket, as far as known, holds the points now. */
export function hasPoints(shop: string, points: number): boolean {
  const bucket = buckets.get(shop);
  return !bucket || availableIn(bucket) >= points;
}

const availableIn = ({ currentlyAvailable, restoreRate, at }: ThrottleStatus & { at: number }): number =>
  currentlyAvailable + ((performance.now() - at) / 1_000) * restoreRate;

/** How long a throttled request waits until the bucket holds its cost; null where it never can. */
export function throttleDelayMs({ requestedQueryCost, throttleStatus }: QueryCost): number | null {
  const { currentlyAvailable, maximumAvailable, restoreRate } = throttleStatus;
  if (requestedQueryCost > maximumAvailable) return null;
  const missing = Math.max(0, requestedQueryCost - currentlyAvailable);
  return Math.max(100, Math.ceil((missing / restoreRate) * 1_000));
}
