import { isServerError, type Failure } from "./failure.ts";

const FIRST_WAIT_MS = 200;

export interface RetryLimits {
  /** Longest wait before an attempt; a service that asks for more gets its error reported instead. */
  maxWaitMs: number;
}

/**
 * The retry policy: how long to wait before the request is sent again, or null when it must not be.
 * Read it top to bottom; the number of attempts is bounded by the caller.
 * @param attempt the attempt that failed, from 1
 * @param random in [0, 1)
 */
export function waitBeforeRetry(
  failure: Failure,
  write: boolean,
  attempt: number,
  limits: RetryLimits,
  random: () => number = Math.random,
): number | null {
  // The request did not arrive, or was turned away at the door: repeating is safe, even for a write.
  const notDone = failure.kind === "unreachable" || (failure.kind === "status" && failure.status === 429);
  // Anything else may have been carried out: a write is never repeated blindly.
  if (write && !notDone) return null;
  // A clear answer stays the same however often we ask. What may pass: no or half an answer, a server in trouble.
  const mayPass =
    notDone ||
    failure.kind === "timed out" ||
    failure.kind === "interrupted" ||
    failure.kind === "garbled" ||
    (failure.kind === "status" && isServerError(failure.status) && failure.status !== 501);
  if (!mayPass) return null;
  // Exponential, with half of it random, so that many callers do not come back at the same moment.
  const backoff = FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + random() / 2);
  const asked = failure.kind === "status" ? failure.retryAfterMs : null;
  if (asked !== null && asked > limits.maxWaitMs) return null;
  return Math.min(limits.maxWaitMs, (asked ?? 0) + backoff);
}
