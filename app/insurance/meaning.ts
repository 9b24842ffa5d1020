import {
  NotFound,
  RateLimited,
  Rejected,
  Unauthorised,
  Unavailable,
  UnknownOutcome,
  UnreadableAnswer,
  type CallFacts,
  type InsuranceError,
} from "./errors.ts";
import { isServerError, type Failure } from "./failure.ts";

/** What the last failed attempt of a call means to its caller; a write differs, because it may have been carried out. */
export function meaning(failure: Failure, write: boolean, facts: CallFacts): InsuranceError {
  switch (failure.kind) {
    case "withheld":
      return new Unavailable(failure.why, facts, { retryAfterMs: failure.retryAfterMs });
    case "unreachable":
      return new Unavailable("the service cannot be reached", facts, { cause: failure.cause });
    case "timed out":
      return inTrouble("no answer in time", undefined, null);
    case "interrupted":
      return inTrouble("the connection broke", failure.cause, null);
    case "status":
      return statusMeaning(failure);
    case "garbled":
      return unreadable("it is not JSON", null);
    case "unexpected":
      return unreadable(failure.what, failure.field);
  }

  function inTrouble(what: string, cause: unknown, retryAfterMs: number | null): InsuranceError {
    return write
      ? new UnknownOutcome(`${what}; it may have been carried out`, facts, { cause })
      : new Unavailable(what, facts, { cause, retryAfterMs });
  }

  function unreadable(what: string, field: string | null): InsuranceError {
    const cause = new UnreadableAnswer(what, field, facts);
    if (!write) return cause;
    return new UnknownOutcome(`accepted, but with an unreadable answer: ${what}`, facts, { cause });
  }

  function statusMeaning({ status, words, retryAfterMs }: Failure & { kind: "status" }): InsuranceError {
    if (status === 401 || status === 403) return new Unauthorised("the token was not accepted", facts);
    if (status === 404 || status === 410) return new NotFound("not found", facts);
    if (status === 429) return new RateLimited(retryAfterMs, facts);
    if (isServerError(status)) return inTrouble("the service failed", undefined, retryAfterMs);
    // A redirect is never followed: the token must not travel to another address.
    if (status < 400) return new Rejected("it redirects elsewhere; is the base address right?", facts);
    return new Rejected(words, facts);
  }
}
