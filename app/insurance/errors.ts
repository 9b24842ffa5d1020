/**
 * The errors of the insurance client, one class per reaction of the caller. Each says which request failed and how;
 * none carries the token, the query string or a customer's data.
 */
import { AppError } from "#app/platform/app-error.ts";

/** What may be logged of a request. */
export interface RequestDetails {
  method: string;
  /** Path without the query string: that is where the organisation token and e-mail addresses travel. */
  path: string;
  /** HTTP status of the last response; null when there was none. */
  status: number | null;
  /** The insurer's own name of the last request, for its support; null when the response names none. */
  requestId: string | null;
  /** How many times the request was sent (0: refused on our side). */
  attempts: number;
  durationMs: number;
  /** The id that the answer to a creation names, although it does not say what was created; see named-id.ts. */
  namedId?: string | null;
}

interface ErrorOptions {
  cause?: unknown;
  /** What the body of a refusal says, without token and personal data. */
  insurerMessage?: string;
  retryAfterMs?: number | null;
}

export class InsuranceError extends AppError {
  override name = "InsuranceError";
  /** What failed, without the request's details that the message adds. */
  readonly reason: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly requestId: string | null;
  readonly attempts: number;
  readonly durationMs: number;
  /** What a creation may have made, as its answer names it; null: it names nothing. */
  readonly namedId: string | null;
  /** The response's body as it may be shown: its message without token and personal data, "" when it has none. */
  readonly insurerMessage: string;
  /** How long the insurer wants us to wait; null when it did not say. */
  readonly retryAfterMs: number | null;

  constructor(reason: string, details: RequestDetails, options: ErrorOptions = {}) {
    const { method, path, status, requestId, attempts, durationMs } = details;
    const facts = [
      status === null ? "no answer" : `status ${status}`,
      ...(requestId === null ? [] : [`request ${requestId}`]),
      attempts === 1 ? "1 attempt" : `${attempts} attempts`,
      `${Math.round(durationMs)} ms`,
    ];
    super(`${method} ${path}: ${reason} (${facts.join(", ")})`, { cause: options.cause });
    this.reason = reason;
    this.method = method;
    this.path = path;
    this.status = status;
    this.requestId = requestId;
    this.attempts = attempts;
    this.durationMs = durationMs;
    this.namedId = details.namedId ?? null;
    this.insurerMessage = options.insurerMessage ?? "";
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** The token is wrong, expired, or for another store: repeating with the same token is useless. */
export class Unauthorised extends InsuranceError {
  override name = "Unauthorised";
}

/** The insurer does not know this store, plan or order. */
export class NotFound extends InsuranceError {
  override name = "NotFound";
}

/** The insurer refused the request; `insurerMessage` is its reason. */
export class Rejected extends InsuranceError {
  override name = "Rejected";
}

/** Too many requests; repeat after `retryAfterMs`. */
export class RateLimited extends InsuranceError {
  override name = "RateLimited";
}

/** Why a request had no usable answer. Only after the last two may the insurer have carried it out. */
type UnavailableCode =
  /** Not sent: the account's requests kept failing. */
  | "circuit_open"
  /** Not sent: too many of the account's requests wait. */
  | "too_many_waiting"
  /** Not sent: its caller lost the right to send it. */
  | "not_allowed"
  /** No connection was made (refused, no such host, no route, connect timeout): the request did not arrive. */
  | "unreachable"
  /** The connection broke or the timeout passed before the whole response was here. */
  | "no_answer"
  /** A status that is about the server's state. */
  | "server_error";

/** The insurer cannot be reached or is failing. For a write: nothing was done, it may be repeated later. */
export class Unavailable extends InsuranceError {
  override name = "Unavailable";
  readonly #code: UnavailableCode;

  constructor(code: UnavailableCode, reason: string, details: RequestDetails, options?: ErrorOptions) {
    super(reason, details, options);
    this.#code = code;
  }

  override get code(): UnavailableCode {
    return this.#code;
  }
}

/**
 * Writes only: the request may have been carried out or not (connection lost, timeout, server error, unreadable
 * response; `cause` says which). Query the insurer's data before repeating it.
 */
export class UnknownOutcome extends InsuranceError {
  override name = "UnknownOutcome";
}

type UnreadableCode = "not_json" | "too_large" | "unexpected";

/** Reads only: the response is not what the specification describes. */
export class UnreadableResponse extends InsuranceError {
  override name = "UnreadableResponse";
  readonly #code: UnreadableCode;
  /** The field at fault, e.g. `[0].price_band_min`; null when the response as a whole cannot be read. */
  readonly field: string | null;

  constructor(code: UnreadableCode, reason: string, field: string | null, details: RequestDetails) {
    super(`unreadable answer: ${reason}`, details);
    this.#code = code;
    this.field = field;
  }

  override get code(): UnreadableCode {
    return this.#code;
  }
}

/**
 * Whether a failed write certainly had no effect: it did not leave, did not arrive, or came without a valid token. Any
 * other response may come from a gateway or a limiter that judges a request after the insurer carried it out.
 */
export function isCertainlyNotDone(error: InsuranceError): boolean {
  return error instanceof Unavailable || (error instanceof Unauthorised && error.status !== 403);
}
