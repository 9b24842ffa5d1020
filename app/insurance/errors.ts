/**
 * The errors of the insurance client, one per reaction of the caller. Each says which request failed and how; none
 * carries the token, the query string or a customer's data.
 */
import { AppError } from "#app/platform/app-error.ts";

/** What may be logged of a request. */
export interface RequestDetails {
  method: string;
  /** Path without the query string: that is where the organisation token and e-mail addresses travel. */
  path: string;
  /** HTTP status of the last response; null when there was none. */
  status: number | null;
  /** How many times the request was sent (0: refused on our side). */
  attempts: number;
  durationMs: number;
}

export class InsuranceError extends AppError {
  override name = "InsuranceError";
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly attempts: number;
  readonly durationMs: number;

  constructor(reason: string, details: RequestDetails, options?: { cause?: unknown }) {
    const status = details.status === null ? "no answer" : `status ${details.status}`;
    const attempts = details.attempts === 1 ? "1 attempt" : `${details.attempts} attempts`;
    super(
      `${details.method} ${details.path}: ${reason} (${status}, ${attempts}, ${Math.round(details.durationMs)} ms)`,
      options,
    );
    this.method = details.method;
    this.path = details.path;
    this.status = details.status;
    this.attempts = details.attempts;
    this.durationMs = details.durationMs;
  }
}

/** The token is wrong, expired, or for another store: repeating with the same token is useless. */
export class Unauthorised extends InsuranceError {
  override name = "Unauthorised";
}

/** The service does not know this store, plan or order. */
export class NotFound extends InsuranceError {
  override name = "NotFound";
}

/** The service refused the request; `serviceMessage` is its reason, without personal data. */
export class Rejected extends InsuranceError {
  override name = "Rejected";
  readonly serviceMessage: string;

  constructor(serviceMessage: string, details: RequestDetails) {
    super(
      serviceMessage === "" ? "refused by the service" : `refused by the service: ${serviceMessage}`,
      details,
    );
    this.serviceMessage = serviceMessage;
  }
}

/** Too many requests; repeat after `retryAfterMs` (null when the service named no time). */
export class RateLimited extends InsuranceError {
  override name = "RateLimited";
  readonly retryAfterMs: number | null;

  constructor(retryAfterMs: number | null, details: RequestDetails) {
    super("rate limited", details);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The service cannot be reached or is failing. For a write: nothing was done, it may be repeated later. */
export class Unavailable extends InsuranceError {
  override name = "Unavailable";
  /** How long the service wants us to wait; null when it did not say. */
  readonly retryAfterMs: number | null;
  /** not sent, because the account's requests kept failing */
  readonly isCircuitOpen: boolean;

  constructor(
    reason: string,
    details: RequestDetails,
    options?: { cause?: unknown; retryAfterMs?: number | null; isCircuitOpen?: boolean },
  ) {
    super(reason, details, { cause: options?.cause });
    this.retryAfterMs = options?.retryAfterMs ?? null;
    this.isCircuitOpen = options?.isCircuitOpen ?? false;
  }
}

/**
 * Writes only: the request may have been carried out or not (connection lost, timeout, server error, unreadable
 * response). Query the service's data before repeating it.
 */
export class UnknownOutcome extends InsuranceError {
  override name = "UnknownOutcome";
}

/** Reads only: the response is not what the specification describes. */
export class UnreadableResponse extends InsuranceError {
  override name = "UnreadableResponse";
  /** The field at fault, e.g. `[0].price_band_min`; null when the response as a whole cannot be read. */
  readonly field: string | null;

  constructor(reason: string, field: string | null, details: RequestDetails, options?: { cause?: unknown }) {
    super(`unreadable answer: ${reason}`, details, options);
    this.field = field;
  }
}

/**
 * Whether a failed write certainly had no effect: it did not leave, did not arrive, or came without a valid token. Any
 * other response may come from a gateway or a limiter that judges a request after the service carried it out.
 */
export function isCertainlyNotDone(error: InsuranceError): boolean {
  return error instanceof Unavailable || (error instanceof Unauthorised && error.status !== 403);
}
