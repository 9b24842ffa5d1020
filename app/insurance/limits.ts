/** What all requests of one account share: a concurrency limit and a circuit breaker. */
import {
  CircuitState,
  ConsecutiveBreaker,
  bulkhead,
  circuitBreaker,
  handleWhen,
  wrap,
  type BulkheadPolicy,
  type CircuitBreakerPolicy,
  type IPolicy,
} from "cockatiel";
import { Unavailable } from "./errors.ts";

/** The first client of an account decides. */
export interface LimitOptions {
  /** Concurrent requests. Default 8. */
  concurrency?: number;
  /** Requests that may wait for a slot; more are refused at once. Default 1,000. */
  waiting?: number;
  /** Consecutive failed attempts that open the circuit, and for how long. */
  breaker?: { failures: number; openMs: number };
}

const DEFAULT_CONCURRENCY = 8;
const DEFAULT_BREAKER = { failures: 10, openMs: 5000 };
const DEFAULT_WAITING = 1000;

interface AccountLimits {
  /** Waits for a slot, then meets the breaker. Rejects with cockatiel's errors when either refuses. */
  policy: IPolicy;
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
export function accountLimits(key: string, options: LimitOptions): AccountLimits {
  const existing = limitsByKey.get(key);
  if (existing) return existing;
  if (limitsByKey.size >= KEPT_LIMITS) {
    for (const [other, limits] of limitsByKey) if (isIdle(limits)) limitsByKey.delete(other);
  }
  const { failures, openMs } = options.breaker ?? DEFAULT_BREAKER;
  const breaker = circuitBreaker(handleWhen(isInsurerInTrouble), {
    halfOpenAfter: openMs,
    breaker: new ConsecutiveBreaker(failures),
  });
  const concurrency = options.concurrency ?? DEFAULT_CONCURRENCY;
  const slots = bulkhead(concurrency, options.waiting ?? DEFAULT_WAITING);
  const limits = { policy: wrap(slots, breaker), slots, concurrency, breaker, openMs };
  limitsByKey.set(key, limits);
  return limits;
}

/** Whether the insurer as a whole is in trouble. A refusal is an answer. */
function isInsurerInTrouble(error: Error): boolean {
  return (
    error instanceof Unavailable &&
    (error.code === "unreachable" || error.code === "no_answer" || error.code === "server_error")
  );
}

/** No request runs or waits, and the circuit is closed: new limits would do the same. */
function isIdle({ slots, concurrency, breaker }: AccountLimits): boolean {
  return breaker.state === CircuitState.Closed && slots.executionSlots === concurrency;
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
