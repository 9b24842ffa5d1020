/** Retries, concurrency limit, circuit breaker and timeout of the requests to the insurance service. */
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  CircuitState,
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
import { AttemptFailed, tripsCircuitBreaker, type Failure } from "./failure.ts";
import { retryDelayMs } from "./retry.ts";

export interface ResilienceOptions {
  /** Timeout of one attempt, from the request's start to the response's last byte. Default 10,000. */
  timeoutMs?: number;
  /** How often a request is sent at most, where repeating is safe. Default 3. */
  attempts?: number;
  /**
   * Longest delay between two attempts; if the service's Retry-After is longer, its error is reported. Default 5,000.
   */
  maxRetryDelayMs?: number;
  /** Concurrent requests per account key; the first client of a key decides. Default 8. */
  concurrency?: number;
  /** Requests of one account that may wait for a slot; more are refused at once. The first client decides. Default 1,000. */
  waiting?: number;
  /** Consecutive failed attempts that open the circuit, and for how long; the first client of a key decides. */
  breaker?: { failures: number; openMs: number };
}

const DEFAULT_CONCURRENCY = 8;
const DEFAULT_BREAKER = { failures: 10, openMs: 5000 };
const DEFAULT_WAITING = 1000;

/** What all clients of one account share. */
export interface AccountLimits {
  slots: BulkheadPolicy;
  concurrency: number;
  breaker: CircuitBreakerPolicy;
  openMs: number;
}
/** By account key: one merchant's broken account neither slows nor stops another's. */
const limitsByKey = new Map<string, AccountLimits>();
/** Limit of accounts kept in memory; beyond it, idle ones are forgotten. About 2 kB each. */
const KEPT_LIMITS = 10_000;

/** The limits of an account, created with these options at its first request. Look them up before every request. */
export function accountLimits(key: string, options: ResilienceOptions): AccountLimits {
  const known = limitsByKey.get(key);
  if (known) return known;
  if (limitsByKey.size >= KEPT_LIMITS) {
    for (const [other, limits] of limitsByKey) if (isIdle(limits)) limitsByKey.delete(other);
  }
  const { failures, openMs } = options.breaker ?? DEFAULT_BREAKER;
  const breaker = circuitBreaker(
    handleWhen((error) => error instanceof AttemptFailed && tripsCircuitBreaker(error.failure)),
    { halfOpenAfter: openMs, breaker: new ConsecutiveBreaker(failures) },
  );
  const concurrency = options.concurrency ?? DEFAULT_CONCURRENCY;
  const waiting = options.waiting ?? DEFAULT_WAITING;
  const limits = { slots: bulkhead(concurrency, waiting), concurrency, breaker, openMs };
  limitsByKey.set(key, limits);
  return limits;
}

/** How many accounts' circuits are in each state. */
export function countCircuits(): Record<"closed" | "open" | "half_open", number> {
  const counts = { closed: 0, open: 0, half_open: 0 };
  for (const { breaker } of limitsByKey.values()) {
    if (breaker.state === CircuitState.Closed) counts.closed += 1;
    else if (breaker.state === CircuitState.HalfOpen) counts.half_open += 1;
    else counts.open += 1;
  }
  return counts;
}

/** No request runs or waits, and the circuit is closed: new limits would do the same. */
function isIdle({ slots, concurrency, breaker }: AccountLimits): boolean {
  return breaker.state === CircuitState.Closed && slots.executionSlots === concurrency;
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
    return {
      kind: "not_sent",
      reason: "not sent, the service kept failing",
      retryAfterMs: openMs,
      isCircuitOpen: true,
    };
  }
  if (error instanceof BulkheadRejectedError) {
    return { kind: "not_sent", reason: "not sent, too many calls are waiting", retryAfterMs: null };
  }
  return null;
}
