import { isServerError, type Failure } from "./failure.ts";

const FIRST_DELAY_MS = 200;

export interface RetryLimits {
  /** Longest delay before an attempt; if the service's Retry-After is longer, its error is reported instead. */
  maxDelayMs: number;
}

/**
 * How long to wait before the request is sent again, or null when it must not be. The number of attempts is bounded
 * by the caller.
 * @param attempt the attempt that failed, from 1
 * @param random in [0, 1)
 */
export function retryDelayMs(
  failure: Failure,
  isWrite: boolean,
  attempt: number,
  limits: RetryLimits,
  random: () => number = Math.random,
): number | null {
  // Only a request that did not arrive was certainly not carried out. Even a rate limiter may count after the work.
  if (isWrite && failure.kind !== "unreachable") return null;
  // A clear response stays the same. Worth another try: no complete response, a rate limit, and a server in trouble.
  const isTransient =
    failure.kind === "unreachable" ||
    (failure.kind === "status" && failure.status === 429) ||
    failure.kind === "timeout" ||
    failure.kind === "interrupted" ||
    failure.kind === "invalid_json" ||
    (failure.kind === "status" && isServerError(failure.status) && failure.status !== 501);
  if (!isTransient) return null;
  // Exponential, half of it jitter, so that many callers do not come back at the same moment.
  const backoff = FIRST_DELAY_MS * 2 ** (attempt - 1) * (0.5 + random() / 2);
  const retryAfter = failure.kind === "status" ? failure.retryAfterMs : null;
  if (retryAfter !== null && retryAfter > limits.maxDelayMs) return null;
  return Math.min(limits.maxDelayMs, (retryAfter ?? 0) + backoff);
}
