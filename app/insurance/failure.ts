/** How one attempt at a request can fail. */
import { AppError } from "#app/platform/app-error.ts";

export type Failure =
  /** No connection was made (refused, no such host, no route, connect timeout): the request did not arrive. */
  | { kind: "unreachable"; cause: unknown }
  /** We did not send it: the circuit breaker is open, too many requests are waiting, or the caller withdrew. */
  | { kind: "not_sent"; reason: string; retryAfterMs: number | null; isCircuitOpen?: true }
  /** No complete response within the timeout. */
  | { kind: "timeout" }
  /** The connection broke after the request may have been sent. */
  | { kind: "interrupted"; cause: unknown }
  /** A complete response with a status that is not a success. */
  | { kind: "status"; status: number; retryAfterMs: number | null; serviceMessage: string }
  /** A success whose body is not JSON (cut short, an HTML page). */
  | { kind: "invalid_json"; status: number }
  /** A success whose JSON is not what the specification describes. */
  | { kind: "invalid_response"; status: number; reason: string; field: string | null };

/** Carries a failure through the resilience policies, which work on thrown errors. Callers never see it. */
export class AttemptFailed extends AppError {
  override name = "AttemptFailed";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** Whether the failure says that the service as a whole is in trouble: the circuit breaker counts those. */
export function tripsCircuitBreaker(failure: Failure): boolean {
  switch (failure.kind) {
    case "unreachable":
    case "timeout":
    case "interrupted":
      return true;
    case "status":
      return isServerError(failure.status);
    case "not_sent":
    case "invalid_json":
    case "invalid_response":
      return false;
  }
}

/** Statuses that are about the server's state, not about the request. */
export function isServerError(status: number): boolean {
  return status >= 500 || status === 408;
}

/** The two forms of a date in a header that name their zone. */
const HTTP_DATE =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4}|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2}) \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The `Retry-After` header in milliseconds from `now`: seconds or an HTTP date; null when absent or malformed. (Left to
 * itself, the date parser takes `in 3` for March 2001.)
 */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | null {
  if (typeof header !== "string") return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = HTTP_DATE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
