/** What one attempt at a request can end in, when it did not end well. */
export type Failure =
  /** The connection was never made (refused, no such host, no route, connect timeout): the request did not arrive. */
  | { kind: "unreachable"; cause: unknown }
  /** We did not send: the circuit breaker is open, or too many calls are waiting for a slot. */
  | { kind: "withheld"; why: string; retryAfterMs: number | null }
  /** No complete answer within the attempt's time. */
  | { kind: "timed out" }
  /** The connection broke after the request may have been sent. */
  | { kind: "interrupted"; cause: unknown }
  /** A complete answer with a status that is not a success. */
  | { kind: "status"; status: number; retryAfterMs: number | null; words: string }
  /** A success whose body is not JSON at all (cut short, an HTML page). */
  | { kind: "garbled"; status: number }
  /** A success whose JSON is not what the specification describes. */
  | { kind: "unexpected"; status: number; what: string; field: string | null };

/** Carries a failure through the policies, which work on thrown errors. Never leaves `request.server.ts`. */
export class AttemptFailed extends Error {
  override name = "AttemptFailed";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** Whether a server that failed like this is in trouble altogether, which is what the circuit breaker counts. */
export function showsTrouble(failure: Failure): boolean {
  switch (failure.kind) {
    case "unreachable":
    case "timed out":
    case "interrupted":
      return true;
    case "status":
      return isServerError(failure.status);
    case "withheld":
    case "garbled":
    case "unexpected":
      return false;
  }
}

/** Statuses that tell of the server's state, not of the request. */
export function isServerError(status: number): boolean {
  return status >= 500 || status === 408;
}

/**
 * The `Retry-After` header in milliseconds from `now`: seconds or an HTTP date; null when absent or malformed.
 */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | null {
  if (typeof header !== "string") return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
