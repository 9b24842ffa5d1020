import {
  NotFound,
  RateLimited,
  Rejected,
  Unauthorised,
  Unavailable,
  UnknownOutcome,
  UnreadableResponse,
  type InsuranceError,
  type RequestDetails,
} from "./errors.ts";
import { isServerError, type Failure } from "./failure.ts";

/**
 * The error for the caller of a request whose last attempt failed. A failed write may have been carried out all the
 * same, so it ends in other errors than a read.
 */
export function toInsuranceError(
  failure: Failure,
  isWrite: boolean,
  details: RequestDetails,
): InsuranceError {
  switch (failure.kind) {
    case "not_sent":
      return new Unavailable(failure.reason, details, failure);
    case "unreachable":
      return new Unavailable("the service cannot be reached", details, { cause: failure.cause });
    case "timeout":
      return unavailable("no answer in time", undefined, null);
    case "interrupted":
      return unavailable("the connection broke", failure.cause, null);
    case "status":
      return errorOfStatus(failure);
    case "invalid_json":
      return unreadable("it is not JSON", null);
    case "invalid_response":
      return unreadable(failure.reason, failure.field);
  }

  function unavailable(reason: string, cause: unknown, retryAfterMs: number | null): InsuranceError {
    return isWrite
      ? new UnknownOutcome(`${reason}; it may have been carried out`, details, { cause })
      : new Unavailable(reason, details, { cause, retryAfterMs });
  }

  function unreadable(reason: string, field: string | null): InsuranceError {
    const cause = new UnreadableResponse(reason, field, details);
    if (!isWrite) return cause;
    return new UnknownOutcome(`accepted, but with an unreadable answer: ${reason}`, details, { cause });
  }

  function errorOfStatus({
    status,
    serviceMessage,
    retryAfterMs,
  }: Failure & { kind: "status" }): InsuranceError {
    if (status === 401 || status === 403) return new Unauthorised("the token was not accepted", details);
    if (status === 404 || status === 410) return new NotFound("not found", details);
    if (status === 429) return new RateLimited(retryAfterMs, details);
    if (isServerError(status)) return unavailable("the service failed", undefined, retryAfterMs);
    // A redirect is never followed: the token must not travel to another address.
    if (status < 400) return new Rejected("it redirects elsewhere; is the base address right?", details);
    return new Rejected(serviceMessage, details);
  }
}
