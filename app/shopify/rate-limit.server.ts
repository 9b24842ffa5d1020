/**
 * The Admin API's rate limit: a bucket of query cost points per shop, refilled every second and shared by all the
 * app's requests for the shop. Each response reports the current points.
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

/** Each shop's bucket at its last response; `at` is monotonic time, because the machine's clock may be set back. */
const buckets = new LRUCache<string, ThrottleStatus & { at: number }>({ max: 10_000 });

export function updateBucket(shop: string, status: ThrottleStatus): void {
  buckets.set(shop, { ...status, at: performance.now() });
}

/** The share of a bucket that background work leaves to other requests. */
const RESERVED_SHARE = 0.5;

/**
 * Waits until the shop's bucket has the points, by the last response.
 * @param isBackground leaves half a bucket to requests for which a customer or merchant waits
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

/** Whether the shop's bucket has the points now, by the last response. */
export function hasPoints(shop: string, points: number): boolean {
  const bucket = buckets.get(shop);
  return !bucket || availableIn(bucket) >= points;
}

const availableIn = ({ currentlyAvailable, restoreRate, at }: ThrottleStatus & { at: number }): number =>
  currentlyAvailable + ((performance.now() - at) / 1_000) * restoreRate;

/** The delay until the bucket has the cost of a throttled request; null if it never can. */
export function throttleDelayMs({ requestedQueryCost, throttleStatus }: QueryCost): number | null {
  const { currentlyAvailable, maximumAvailable, restoreRate } = throttleStatus;
  if (requestedQueryCost > maximumAvailable) return null;
  const missing = Math.max(0, requestedQueryCost - currentlyAvailable);
  return Math.max(100, Math.ceil((missing / restoreRate) * 1_000));
}
