/**
 * The request core: time limit per attempt, retries, circuit breaker and concurrency limit around `attempt`. Resources
 * describe their calls (`Call`) and get parsed answers or an InsuranceError.
 */
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
import { Agent, type Dispatcher } from "undici";
import { attempt, type Call, type Target } from "./attempt.server.ts";
import { Unauthorised, type CallFacts } from "./errors.ts";
import { AttemptFailed, showsTrouble, type Failure } from "./failure.ts";
import { meaning } from "./meaning.ts";
import { waitBeforeRetry } from "./retry.ts";

/** What the client logs to; pino's logger fits. */
interface Log {
  debug(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

export interface ClientOptions {
  /** Where requests go; by default one pool of kept-alive connections for the process. */
  dispatcher?: Dispatcher;
  /** Time of one attempt, from the request's start to the answer's last byte. Default 10,000. */
  timeoutMs?: number;
  /** How often a request is sent at most, where repeating is safe. Default 3. */
  attempts?: number;
  /** Longest wait between two attempts; a service that asks for more gets its error reported. Default 5,000. */
  maxWaitMs?: number;
  /** Requests under way at the same time per account key; the first client of a key decides. Default 8. */
  concurrency?: number;
  /** Consecutive failed attempts that open the circuit, and for how long; the first client of a key decides. */
  breaker?: { failures: number; openMs: number };
  log?: Log;
}

/** Sends a call under the policies. @throws InsuranceError */
export type Send = <T>(call: Call<T>) => Promise<T>;

export const DEFAULT_CONCURRENCY = 8;
const DEFAULT_BREAKER = { failures: 10, openMs: 5000 };
/** Calls of one account that may wait for a slot; more than that is refused at once. */
const MAX_WAITING = 1000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * The connect timeout is well below the attempt's, so that an unreachable host shows as such: a request that was never
 * sent may be repeated, one that ran out of time may not.
 */
const processPool = new Agent({ connect: { timeout: 3000 }, maxResponseSize: MAX_ANSWER_BYTES });

interface Scope {
  slots: BulkheadPolicy;
  breaker: CircuitBreakerPolicy;
  openMs: number;
}
/** One scope per account key: one merchant's broken environment neither slows nor stops another's. */
const scopes = new LRUCache<string, Scope>({ max: 10_000 });

function scopeOf(key: string, options: ClientOptions): Scope {
  const known = scopes.get(key);
  if (known) return known;
  const { failures, openMs } = options.breaker ?? DEFAULT_BREAKER;
  const breaker = circuitBreaker(
    handleWhen((error) => error instanceof AttemptFailed && showsTrouble(error.failure)),
    { halfOpenAfter: openMs, breaker: new ConsecutiveBreaker(failures) },
  );
  const scope = { slots: bulkhead(options.concurrency ?? DEFAULT_CONCURRENCY, MAX_WAITING), breaker, openMs };
  scopes.set(key, scope);
  return scope;
}

/** Whom calls are sent to and for. */
export interface Account {
  baseUrl: string;
  token: string;
  /** Scope of the concurrency limit and the circuit breaker. */
  key: string;
}

/**
 * A sender of calls for one account.
 * @param headers sent with every call
 * @throws TypeError when the base address is no URL
 */
export function sender(account: Account, headers: Record<string, string>, options: ClientOptions): Send {
  const base = new URL(account.baseUrl);
  const target: Target = {
    dispatcher: options.dispatcher ?? processPool,
    origin: base.origin,
    prefix: base.pathname.replace(/\/+$/, ""),
    headers: { accept: "application/json", ...headers },
    token: account.token,
  };
  const scope = scopeOf(account.key, options);
  // A token with a line break or an accent comes from a careless paste: the service would not accept it either.
  const sendable = Object.values(headers).every((value) => /^[\x20-\x7e]*$/.test(value));
  const reads = policies(scope, options, false);
  const writes = policies(scope, options, true);

  return async <T>(call: Call<T>): Promise<T> => {
    const write = call.method !== "GET";
    const started = performance.now();
    const facts: CallFacts = {
      method: call.method,
      path: call.path,
      status: null,
      attempts: 0,
      durationMs: 0,
    };
    if (!sendable) throw new Unauthorised("the token holds characters that no token has", facts);
    try {
      const answer = await (write ? writes : reads).execute(({ signal }) => {
        // A call may have waited long for its slot or its next attempt, and its caller may have lost the right to it.
        if (call.maySend?.() === false) {
          const why = "not sent, its caller had no right to it any more";
          throw new AttemptFailed({ kind: "withheld", why, retryAfterMs: null });
        }
        facts.attempts += 1;
        facts.status = null;
        return attempt(call, target, signal, (status) => (facts.status = status));
      });
      facts.durationMs = performance.now() - started;
      options.log?.debug(facts, "insurance call");
      return answer;
    } catch (error) {
      const failure = failureIn(error, scope);
      if (failure === null) throw error;
      facts.durationMs = performance.now() - started;
      const failed = meaning(failure, write, facts);
      options.log?.warn({ ...facts, error: failed.name }, "insurance call failed");
      throw failed;
    }
  };
}

/** Outermost first: a wait before a retry holds no slot, and a call that waited for a slot still meets the breaker. */
function policies(scope: Scope, options: ClientOptions, write: boolean) {
  const limits = { maxWaitMs: options.maxWaitMs ?? 5000 };
  const waitAfter = (error: Error, number: number): number | null => {
    const failure = failureIn(error, scope);
    return failure === null ? null : waitBeforeRetry(failure, write, number, limits);
  };
  const retries = retry(
    handleWhen((error) => waitAfter(error, 1) !== null),
    {
      maxAttempts: (options.attempts ?? 3) - 1,
      backoff: new DelegateBackoff(({ attempt: number, result }) =>
        "error" in result ? (waitAfter(result.error, number) ?? 0) : 0,
      ),
    },
  );
  const timeLimit = timeout(options.timeoutMs ?? 10_000, {
    strategy: TimeoutStrategy.Cooperative,
    abortOnReturn: false,
  });
  return wrap(retries, scope.slots, scope.breaker, timeLimit);
}

/** The failure that an error of the policies or of an attempt stands for; null for an error that is none of theirs. */
function failureIn(error: unknown, scope: Scope): Failure | null {
  if (error instanceof AttemptFailed) return error.failure;
  if (error instanceof BrokenCircuitError) {
    return { kind: "withheld", why: "not sent, the service kept failing", retryAfterMs: scope.openMs };
  }
  if (error instanceof BulkheadRejectedError) {
    return { kind: "withheld", why: "not sent, too many calls are waiting", retryAfterMs: null };
  }
  return null;
}
