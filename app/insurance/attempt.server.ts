/** One attempt at a request: one HTTP exchange, and what became of it. */
import type { Dispatcher } from "undici";
import { AttemptFailed, retryAfterMs, type Failure } from "./failure.ts";
import { Unexpected } from "./read.ts";
import { serviceWords } from "./words.ts";

export interface Call<T> {
  method: "GET" | "POST" | "PATCH";
  /** Path under the base address, without the query string: it goes into errors and logs. */
  path: string;
  query?: URLSearchParams;
  body?: unknown;
  /** What was sent that is personal: blanked where the service quotes it in a refusal. */
  personal?: unknown;
  /** The answer is about people we may know nothing of: the words of a refusal are not repeated at all. */
  confidential?: boolean;
  /** Reads the JSON of a success. @throws Unexpected */
  read: (answer: unknown) => T;
  /** The body of a success is of no interest (its shape is not shown): `read` gets undefined. */
  statusOnly?: boolean;
  /** Keep numbers written with a decimal point as text: slower, and needed only where `49.0` must differ from `49`. */
  exactDecimals?: boolean;
  /** Asked right before every attempt: false, and nothing is sent (any more). */
  maySend?: () => boolean;
}

/** Where the service is, and what every request to it carries. */
export interface Target {
  dispatcher: Dispatcher;
  origin: string;
  /** Path of the base address, without a slash at its end. */
  prefix: string;
  headers: Record<string, string>;
  /** The token, wherever it travels: blanked where the service quotes it. */
  token: string;
}

/**
 * Sends the call once.
 * @param onStatus hears the status as soon as there is one
 * @throws AttemptFailed
 */
export async function attempt<T>(
  call: Call<T>,
  target: Target,
  signal: AbortSignal,
  onStatus: (status: number) => void,
): Promise<T> {
  const broken = (error: unknown): never => {
    throw new AttemptFailed(connectionFailure(error, signal.aborted));
  };
  const query = call.query && call.query.size > 0 ? `?${call.query.toString()}` : "";
  const response = await target.dispatcher
    .request({
      origin: target.origin,
      path: `${target.prefix}${call.path}${query}`,
      method: call.method,
      headers:
        call.body === undefined ? target.headers : { ...target.headers, "content-type": "application/json" },
      body: call.body === undefined ? null : JSON.stringify(call.body),
      signal,
    })
    .catch(broken);
  const status = response.statusCode;
  onStatus(status);
  if (status >= 200 && status < 300 && call.statusOnly === true) {
    // The status is the whole answer; a fault in what follows does not take the success back.
    await response.body.dump().catch(() => null);
    return call.read(undefined);
  }
  const body = await response.body.text().catch(broken);
  if (status >= 200 && status < 300) return readSuccess(call, status, body);
  throw new AttemptFailed({
    kind: "status",
    status,
    retryAfterMs: retryAfterMs(response.headers["retry-after"], Date.now()),
    words: call.confidential === true ? "" : serviceWords(body, [target.token, call.personal]),
  });
}

function readSuccess<T>(call: Call<T>, status: number, body: string): T {
  let answer: unknown;
  try {
    // "No content" is an empty list; any other empty body is no JSON.
    answer = status === 204 ? null : parseJson(body, call.exactDecimals ?? false);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new AttemptFailed({ kind: "garbled", status });
  }
  try {
    return call.read(answer);
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    throw new AttemptFailed({ kind: "unexpected", status, what: error.message, field: error.field });
  }
}

function parseJson(text: string, exactDecimals: boolean): unknown {
  if (!exactDecimals) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === "number" && /^-?\d+\.\d+$/.test(context?.source ?? "") ? context?.source : value,
  );
}

/** Certificates are checked before anything is sent. */
const BAD_CERTIFICATE = /^(?:ERR_TLS_CERT|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/;

function connectionFailure(error: unknown, timedOut: boolean): Failure {
  if (timedOut) return { kind: "timed out" };
  // Several addresses of one host fail together: the request arrived at none if it arrived at none of them.
  const errors = error instanceof AggregateError ? error.errors : [error];
  if (errors.length > 0 && errors.every(beforeSending)) return { kind: "unreachable", cause: error };
  return { kind: "interrupted", cause: error };
}

function beforeSending(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall }: Error & { code?: unknown; syscall?: unknown } = error;
  if (syscall === "connect" || syscall === "getaddrinfo" || code === "UND_ERR_CONNECT_TIMEOUT") return true;
  return typeof code === "string" && BAD_CERTIFICATE.test(code);
}
