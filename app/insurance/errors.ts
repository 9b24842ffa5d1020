/**
 * What can go wrong between us and the insurance service, named by what it means to the caller. Every error says
 * which call it was and how it went; none carries the token, the query string or a customer's data.
 */

/** How the call went, as far as it may be logged. */
export interface CallFacts {
  method: string;
  /** Path without the query string: that is where the organisation token and e-mail addresses travel. */
  path: string;
  /** HTTP status of the last answer; null when there was none. */
  status: number | null;
  /** How many times the request was sent (0: refused on our side). */
  attempts: number;
  durationMs: number;
}

export class InsuranceError extends Error {
  override name = "InsuranceError";
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly attempts: number;
  readonly durationMs: number;

  constructor(what: string, facts: CallFacts, options?: { cause?: unknown }) {
    const status = facts.status === null ? "no answer" : `status ${facts.status}`;
    const attempts = facts.attempts === 1 ? "1 attempt" : `${facts.attempts} attempts`;
    super(
      `${facts.method} ${facts.path}: ${what} (${status}, ${attempts}, ${Math.round(facts.durationMs)} ms)`,
      options,
    );
    this.method = facts.method;
    this.path = facts.path;
    this.status = facts.status;
    this.attempts = facts.attempts;
    this.durationMs = facts.durationMs;
  }
}

/** The token is wrong, expired, or not for this store. Nothing was done; repeating with the same token is useless. */
export class Unauthorised extends InsuranceError {
  override name = "Unauthorised";
}

/** The service does not know this store, plan or order. */
export class NotFound extends InsuranceError {
  override name = "NotFound";
}

/** The service understood and refused. Nothing was done; `words` is its reason, freed of personal data. */
export class Rejected extends InsuranceError {
  override name = "Rejected";
  readonly words: string;

  constructor(words: string, facts: CallFacts) {
    super(words === "" ? "refused by the service" : `refused by the service: ${words}`, facts);
    this.words = words;
  }
}

/** Too many requests. Nothing was done; repeat after `retryAfterMs` (null when the service named no time). */
export class RateLimited extends InsuranceError {
  override name = "RateLimited";
  readonly retryAfterMs: number | null;

  constructor(retryAfterMs: number | null, facts: CallFacts) {
    super("rate limited", facts);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The service cannot be reached or is failing. For a write: nothing was done, it may be repeated later. */
export class Unavailable extends InsuranceError {
  override name = "Unavailable";
  /** How long the service asked us to wait; null when it did not say. */
  readonly retryAfterMs: number | null;

  constructor(what: string, facts: CallFacts, options?: { cause?: unknown; retryAfterMs?: number | null }) {
    super(what, facts, { cause: options?.cause });
    this.retryAfterMs = options?.retryAfterMs ?? null;
  }
}

/**
 * Writes only: the request may have been carried out or not (connection lost, no answer in time, a server error, an
 * answer that cannot be read). Look at the service's data before repeating.
 */
export class UnknownOutcome extends InsuranceError {
  override name = "UnknownOutcome";
}

/** The service answered a read with something that is not what the specification describes. */
export class UnreadableAnswer extends InsuranceError {
  override name = "UnreadableAnswer";
  /** The field at fault, e.g. `[0].price_band_min`; null when the answer as a whole cannot be read. */
  readonly field: string | null;

  constructor(what: string, field: string | null, facts: CallFacts, options?: { cause?: unknown }) {
    super(`unreadable answer: ${what}`, facts, options);
    this.field = field;
  }
}
