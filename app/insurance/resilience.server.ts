/** Retries, concurrency limit, circuit breaker and timeout of the requests to the insurance service. */
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  ConsecutiveBreaker,
  DelegateBackoff,
  TimeoutStrategy,
  bulkhead,
  circuitBreaker,
  handleWhen,
  retry,
  timeout,
  wrap,
  type BulkheadPolicy,
  type CircuitBreakerPolicy,
} from "cockatiel";
import { LRUCache } from "lru-cache";
import { AttemptFailed, tripsCircuitBreaker, type Failure } from "./failure.ts";
import { retryDelayMs } from "./retry.ts";

export interface ResilienceOptions {
  /** Timeout of one attempt, from the request's start to the response's last byte. Default 10,000. */
  timeoutMs?: number;
  /** How often a request is sent at most, where repeating is safe. Default 3. */
  attempts?: number;
  /** Longest delay between two attempts; if the service asks for more, its error is reported. Default 5,000. */
  maxRetryDelayMs?: number;
  /** Concurrent requests per account key; the first client of a key decides. Default 8. */
  concurrency?: number;
  /** Consecutive failed attempts that open the circuit, and for how long; the first client of a key decides. */
  breaker?: { failures: number; openMs: number };
}

const DEFAULT_CONCURRENCY = 8;
const DEFAULT_BREAKER = { failures: 10, openMs: 5000 };
/** Requests of one account that may wait for a slot; more than that are refused at once. */
const MAX_WAITING = 1000;

/** What all clients of one account share. */
export interface AccountLimits {
  slots: BulkheadPolicy;
  breaker: CircuitBreakerPolicy;
  openMs: number;
}
/** By account key: one merchant's broken account neither slows nor stops another's. */
const limitsByKey = new LRUCache<string, AccountLimits>({ max: 10_000 });

/** The limits of an account, made with these options if it has none yet. */
export function accountLimits(key: string, options: ResilienceOptions): AccountLimits {
  const known = limitsByKey.get(key);
  if (known) return known;
  const { failures, openMs } = options.breaker ?? DEFAULT_BREAKER;
  const breaker = circuitBreaker(
    handleWhen((error) => error instanceof AttemptFailed && tripsCircuitBreaker(error.failure)),
    { halfOpenAfter: openMs, breaker: new ConsecutiveBreaker(failures) },
  );
  const limits = {
    slots: bulkhead(options.concurrency ?? DEFAULT_CONCURRENCY, MAX_WAITING),
    breaker,
    openMs,
  };
  limitsByKey.set(key, limits);
  return limits;
}

/**
 * The policies around one request, outermost first: waiting for a retry holds no slot, and a request that waited for a
 * slot still meets the breaker.
 */
export function requestPolicy(limits: AccountLimits, options: ResilienceOptions, isWrite: boolean) {
  const maxDelayMs = options.maxRetryDelayMs ?? 5000;
  const delayAfter = (error: Error, attempt: number): number | null => {
    const failure = failureOf(error, limits);
    return failure === null ? null : retryDelayMs(failure, isWrite, attempt, { maxDelayMs });
  };
  const retries = retry(
    handleWhen((error) => delayAfter(error, 1) !== null),
    {
      maxAttempts: (options.attempts ?? 3) - 1,
      backoff: new DelegateBackoff(({ attempt, result }) =>
        "error" in result ? (delayAfter(result.error, attempt) ?? 0) : 0,
      ),
    },
  );
  const attemptTimeout = timeout(options.timeoutMs ?? 10_000, {
    strategy: TimeoutStrategy.Cooperative,
    abortOnReturn: false,
  });
  return wrap(retries, limits.slots, limits.breaker, attemptTimeout);
}

/** The failure behind an error of an attempt or of a policy; null for any other error. */
export function failureOf(error: unknown, { openMs }: AccountLimits): Failure | null {
  if (error instanceof AttemptFailed) return error.failure;
  if (error instanceof BrokenCircuitError) {
    return { kind: "not_sent", reason: "not sent, the service kept failing", retryAfterMs: openMs };
  }
  if (error instanceof BulkheadRejectedError) {
    return { kind: "not_sent", reason: "not sent, too many calls are waiting", retryAfterMs: null };
  }
  return null;
}
