/**
 * The request core that all resources share: it authenticates, limits, times out, retries, logs, and turns every
 * failure into an InsuranceError. A resource describes its request (`ApiRequest`) and gets what its `read` returns.
 */
import { pipeline, type Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { BrokenCircuitError, BulkheadRejectedError } from "cockatiel";
import { Agent, type Dispatcher } from "undici";
import { metrics } from "#app/platform/metrics.server.ts";
import { inSpan } from "#app/platform/tracing.server.ts";
import {
  InsuranceError,
  NotFound,
  RateLimited,
  Rejected,
  Unauthorised,
  Unavailable,
  UnknownOutcome,
  UnreadableResponse,
  type RequestDetails,
} from "./errors.ts";
import { accountLimits, type LimitOptions } from "./limits.ts";
import { insurerMessage } from "./error-message.ts";
import { namedId } from "./named-id.ts";
import { parseJson, type Read, type ReceivedHeaders } from "./response.ts";

/** What the client logs to; pino's logger fits. */
interface Log {
  debug(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface ClientOptions extends LimitOptions {
  /** Timeout of one attempt, from the request's start to the response's last byte. Default 10,000. */
  timeoutMs?: number;
  /** How many times a request is sent at most, where repeating is safe. Default 3. */
  attempts?: number;
  /** Longest delay between two attempts. Default 5,000. */
  maxRetryDelayMs?: number;
  /** Where requests go; by default one pool of kept-alive connections for the process. */
  dispatcher?: Dispatcher;
  log?: Log;
}

/** Where requests are sent, and for whom. */
export interface Account {
  /** e.g. `https://api.example.com`; the paths of the specification come after it. */
  baseUrl: string;
  token: string;
  /** Scope of the circuit breaker and the concurrency limit, e.g. `${shop}:${environment}`. */
  key: string;
}

export interface ApiRequest<T> {
  method: "GET" | "POST" | "PATCH";
  /** The endpoint as the spec writes it, without ids: for metrics. */
  endpoint: string;
  /** Path under the base address, without the query string: it goes into errors and logs. */
  path: string;
  /** A list is written as a repeated parameter. */
  query?: Record<string, string | number | string[] | undefined>;
  /** The insurer's own link to the next page replaces path and query on the wire. It must be on the same origin. */
  link?: string;
  body?: unknown;
  /** The personal data in the request: removed where the insurer quotes it in an error message. */
  personal?: unknown;
  /** The response is about people whose data we may not know: error messages of the insurer are dropped altogether. */
  confidential?: boolean;
  /** Reads the JSON of a success. */
  read: Read<T>;
  /**
   * The status says that a write succeeded, because the body's shape is not shown: `alone`: `read` gets null;
   * `with_body`: it gets the body, null if that cannot be read.
   */
  statusCounts?: "alone" | "with_body";
  /** The most that a success may hold; by default what one object needs. */
  maxBytes?: number;
  /** It creates one of these, so that an id in any answer counts: the last segment of its path, e.g. `plans`. */
  creates?: string;
  /** Keep numbers written with a decimal point as text: slower, and needed only where `49.0` must differ from `49`. */
  exactDecimals?: boolean;
  /** Called right before every attempt; nothing is sent once it returns false. */
  maySend?: () => boolean;
}

/** @throws InsuranceError */
export type Send = <T>(request: ApiRequest<T>) => Promise<T>;

/**
 * When a failed attempt is repeated: the delay in milliseconds, or null when its error is final.
 * @param attempt the attempt that failed, from 1
 * @param random in [0, 1)
 */
export function retryDelayMs(
  error: InsuranceError,
  isWrite: boolean,
  attempt: number,
  { attempts = 3, maxRetryDelayMs = 5000 }: Pick<ClientOptions, "attempts" | "maxRetryDelayMs">,
  random: () => number = Math.random,
): number | null {
  if (attempt >= attempts) return null;
  // A write is repeated only if it certainly did not arrive. Any response, a rate limit included, may come after the
  // insurer did the work: the caller looks the outcome up before it writes again.
  if (isWrite && error.code !== "unreachable") return null;
  // A clear answer stays the same. Worth another try: no or a broken answer, a rate limit, and a server in trouble.
  const isTransient = ["unreachable", "no_answer", "server_error", "rate_limited", "not_json"];
  if (!isTransient.includes(error.code) || error.status === 501) return null;
  // The insurer wants a longer pause than a request can wait: its caller decides.
  const retryAfterMs = error.retryAfterMs ?? 0;
  if (retryAfterMs > maxRetryDelayMs) return null;
  // Exponential, half of it jitter, so that many callers do not come back at the same moment.
  const backoffMs = FIRST_DELAY_MS * 2 ** (attempt - 1) * (0.5 + random() / 2);
  return Math.min(maxRetryDelayMs, retryAfterMs + backoffMs);
}

const FIRST_DELAY_MS = 200;
const DEFAULT_TIMEOUT_MS = 10_000;

/** One plan or quote is a few kilobytes; with decimals as text, parsing takes longest. */
const MAX_OBJECT_BYTES = 128 * 1024;
/** Error messages are short; what comes after is not read. */
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** A slash at the end and a new path take one each. */
const MAX_REDIRECTS = 3;

/**
 * The connect timeout is well below the attempt's, so that an unreachable host shows as such: a request that was never
 * sent may be repeated, one that ran out of time may not.
 */
const processPool = new Agent({ connect: { timeout: 3000 }, maxResponseSize: MAX_RESPONSE_BYTES });

/**
 * @param authorization headers sent with every request
 * @throws TypeError when the base address is no URL
 */
export function createSend(
  account: Account,
  authorization: Record<string, string>,
  options: ClientOptions,
): Send {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, log } = options;
  const dispatcher = options.dispatcher ?? processPool;
  const base = new URL(account.baseUrl);
  const prefix = base.pathname.replace(/\/+$/, "");
  const headers = { accept: "application/json", ...authorization };
  // A token with a line break or an accent comes from a careless paste: the insurer would not accept it either.
  const hasValidHeaders = Object.values(headers).every((value) => /^[\x20-\x7e]*$/.test(value));

  return (request) => {
    const call = `${request.method} ${request.endpoint}`;
    return inSpan(call, { kind: "client" }, async (span) => {
      const details: RequestDetails = {
        method: request.method,
        path: request.path,
        status: null,
        requestId: null,
        attempts: 0,
        durationMs: 0,
      };
      const startedAt = performance.now();
      const stopTimer = metrics.insurerCalls.startTimer({ endpoint: call });
      try {
        if (!hasValidHeaders) throw new Unauthorised("the token holds characters that no token has", details);
        const result = await sendUntilFinal(request, details, startedAt);
        stopTimer({ outcome: "ok" });
        log?.debug({ ...details, durationMs: performance.now() - startedAt }, "insurance call");
        return result;
      } catch (error) {
        if (!(error instanceof InsuranceError)) throw error;
        stopTimer({ outcome: error.name });
        log?.warn({ ...details, error: error.name, code: error.code }, "insurance call failed");
        if (error.status !== null) span.setAttribute("http.response.status_code", error.status);
        throw error;
      }
    });
  };

  async function sendUntilFinal<T>(
    request: ApiRequest<T>,
    details: RequestDetails,
    startedAt: number,
  ): Promise<T> {
    const isWrite = request.method !== "GET";
    for (let attempt = 1; ; attempt += 1) {
      const limits = accountLimits(account.key, options);
      try {
        return await limits.policy.execute(() => sendOnce(request, details));
      } catch (error) {
        details.durationMs = performance.now() - startedAt;
        const failure = refusedByLimits(error, details, limits.openMs) ?? error;
        if (!(failure instanceof InsuranceError)) throw failure;
        const delayMs = retryDelayMs(failure, isWrite, attempt, options);
        if (delayMs === null) throw isWrite ? ofWrite(failure, details) : failure;
        // A request that waits for its next attempt holds no slot.
        await delay(delayMs);
      }
    }
  }

  /** One HTTP exchange. @throws InsuranceError as a read sees it */
  async function sendOnce<T>(request: ApiRequest<T>, details: RequestDetails): Promise<T> {
    // The request may have waited long for its slot or its next attempt.
    if (request.maySend?.() === false)
      throw new Unavailable("not_allowed", "not sent, its caller had no right to it any more", details);
    details.attempts += 1;
    details.status = null;
    details.requestId = null;
    details.namedId = null;
    const { status, received, body } = await exchange(request, details);
    if (request.creates !== undefined) details.namedId = namedId(body, received, request.creates);
    if (status >= 200 && status < 300) return readSuccess(request, body, received, details);
    const { confidential = false, personal } = request;
    throw errorOfStatus(status, details, {
      retryAfterMs: retryAfterMs(received["retry-after"], Date.now()),
      insurerMessage: confidential ? "" : insurerMessage(body.toString("utf8"), [account.token, personal]),
    });
  }

  /** Sends the request and reads the response as far as it counts, within the timeout. */
  async function exchange(request: ApiRequest<unknown>, details: RequestDetails) {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    const hasBody = request.body !== undefined;
    try {
      const path = `${prefix}${request.path}`;
      const linked =
        request.link === undefined ? undefined : sameOriginTarget(request.link, new URL(path, base));
      if (linked === null)
        throw new UnreadableResponse(
          "unexpected",
          "one page of several: the next one is on another origin",
          null,
          details,
        );
      let target: string = linked ?? `${path}${queryString(request.query)}`;
      for (let redirects = 0; ; redirects += 1) {
        const response = await dispatcher.request({
          origin: base.origin,
          path: target,
          method: request.method,
          headers: hasBody ? { ...headers, "content-type": "application/json" } : headers,
          body: hasBody ? JSON.stringify(request.body) : null,
          signal: timeout.signal,
        });
        const { statusCode: status, headers: received } = response;
        details.status = status;
        details.requestId = requestIdOf(received);
        const redirectTarget = redirects < MAX_REDIRECTS ? redirectTargetOf(request, target, response) : null;
        if (redirectTarget === null)
          return { status, received, body: await readBody(request, response, details) };
        await response.body.dump();
        target = redirectTarget;
      }
    } catch (error) {
      if (error instanceof InsuranceError) throw error;
      throw connectionError(error, timeout.signal.aborted, details);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Null: the response is no redirect that may be followed. The token never travels to another origin. */
  function redirectTargetOf(
    { method }: ApiRequest<unknown>,
    target: string,
    { statusCode, headers: { location } }: Dispatcher.ResponseData,
  ): string | null {
    // Clients disagree whether a write stays one after 301 and 302.
    const followed = method === "GET" ? [301, 302, 307, 308] : [307, 308];
    if (typeof location !== "string" || !followed.includes(statusCode)) return null;
    return sameOriginTarget(location, new URL(target, base.origin));
  }

  /** Which header names the request is not shown; these are usual. Only a short word is taken, and no token. */
  function requestIdOf(received: Record<string, string | string[] | undefined>): string | null {
    const id = received["x-request-id"] ?? received["request-id"];
    if (typeof id !== "string" || !/^[\w.:-]{1,100}$/.test(id)) return null;
    return id.includes(account.token) ? null : id;
  }
}

/** The path and the query of a link; null where it leads to another origin, or is no address. */
function sameOriginTarget(link: string, from: URL): string | null {
  const url = URL.parse(link, from);
  return url?.origin === from.origin ? `${url.pathname}${url.search}` : null;
}

const decompressors = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/** Some gateways compress every response, although the client does not send Accept-Encoding. */
function decompressed({ body, headers }: Dispatcher.ResponseData): Readable {
  const encoding = headers["content-encoding"];
  const decompressor =
    typeof encoding === "string" ? decompressors.get(encoding.trim().toLowerCase()) : undefined;
  // A failure of either stream ends the other one, and the reader of the last one gets it.
  return decompressor === undefined ? body : pipeline(body, decompressor(), () => undefined);
}

async function readBody(
  { statusCounts, maxBytes = MAX_OBJECT_BYTES }: ApiRequest<unknown>,
  response: Dispatcher.ResponseData,
  details: RequestDetails,
): Promise<Buffer> {
  const isSuccess = details.status !== null && details.status >= 200 && details.status < 300;
  if (!isSuccess)
    return (await readUpTo(decompressed(response), MAX_ERROR_BYTES)).subarray(0, MAX_ERROR_BYTES);
  // The request succeeded, whatever happens to the rest of the response.
  if (statusCounts === "alone") {
    await response.body.dump().catch(() => null);
    return Buffer.alloc(0);
  }
  if (statusCounts === "with_body")
    return readUpTo(decompressed(response), maxBytes).catch(() => Buffer.alloc(0));
  const bytes = await readUpTo(decompressed(response), maxBytes);
  if (bytes.length <= maxBytes) return bytes;
  throw new UnreadableResponse("too_large", `more than ${maxBytes} bytes`, null, details);
}

/** All of a body, or its beginning, which is longer than the limit then. */
async function readUpTo(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) break;
  }
  return Buffer.concat(chunks);
}

async function readSuccess<T>(
  { read, statusCounts, exactDecimals = false }: ApiRequest<T>,
  bytes: Buffer,
  received: ReceivedHeaders,
  details: RequestDetails,
): Promise<T> {
  const refuse = (code: "not_json" | "unexpected", reason: string, field: string | null): never => {
    throw new UnreadableResponse(code, reason, field, details);
  };
  // "No content" is an empty list; any other empty body is not JSON.
  const hasBody = statusCounts !== "alone" && details.status !== 204;
  const body = hasBody ? await parseJson(bytes, exactDecimals, charsetOf(received)).catch(notJson) : null;
  return read(body, (reason, field) => refuse("unexpected", reason, field), received);

  function notJson(error: unknown): null {
    if (!(error instanceof SyntaxError)) throw error;
    return statusCounts === undefined ? refuse("not_json", "it is not JSON", null) : null;
  }
}

function charsetOf({ "content-type": contentType }: ReceivedHeaders): string | undefined {
  return typeof contentType === "string" ? /charset="?([\w-]+)/i.exec(contentType)?.[1] : undefined;
}

/** The limits' refusals as the client's error; null for any other error. */
function refusedByLimits(error: unknown, details: RequestDetails, openMs: number): InsuranceError | null {
  if (error instanceof BrokenCircuitError) {
    const reason = "not sent, the insurer kept failing";
    return new Unavailable("circuit_open", reason, details, { retryAfterMs: openMs });
  }
  if (error instanceof BulkheadRejectedError)
    return new Unavailable("too_many_waiting", "not sent, too many calls are waiting", details);
  return null;
}

/** A failed write may have been carried out all the same, so it ends in another error than a read. */
function ofWrite(error: InsuranceError, details: RequestDetails): InsuranceError {
  if (error instanceof UnreadableResponse)
    return new UnknownOutcome(`accepted, but with an ${error.reason}`, details, { cause: error });
  if (error.code !== "no_answer" && error.code !== "server_error") return error;
  return new UnknownOutcome(`${error.reason}; it may have been carried out`, details, { cause: error });
}

function errorOfStatus(
  status: number,
  details: RequestDetails,
  options: { insurerMessage: string; retryAfterMs: number | null },
): InsuranceError {
  if (status === 401 || status === 403)
    return new Unauthorised("the token was not accepted", details, options);
  if (status === 404 || status === 410) return new NotFound("not found", details, options);
  if (status === 429) return new RateLimited("rate limited", details, options);
  if (status >= 500 || status === 408)
    return new Unavailable("server_error", "the insurer failed", details, options);
  // Redirects on the same origin were followed: the token must not travel to another one.
  if (status < 400)
    return new Rejected(
      "refused by the insurer: it redirects to another address; check the base address",
      details,
    );
  const { insurerMessage: message } = options;
  return new Rejected(`refused by the insurer${message === "" ? "" : `: ${message}`}`, details, options);
}

/** Certificates are checked before anything is sent. */
const BAD_CERTIFICATE = /^(?:ERR_TLS_CERT|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/;

function connectionError(cause: unknown, isTimedOut: boolean, details: RequestDetails): Unavailable {
  if (isTimedOut) return new Unavailable("no_answer", "no answer in time", details);
  // A host with several addresses fails with several errors: nothing was sent if nothing was sent to any of them.
  const errors = cause instanceof AggregateError ? cause.errors : [cause];
  return errors.length > 0 && errors.every(isBeforeSending)
    ? new Unavailable("unreachable", "the insurer cannot be reached", details, { cause })
    : new Unavailable("no_answer", "the connection broke", details, { cause });
}

function isBeforeSending(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall }: Error & { code?: unknown; syscall?: unknown } = error;
  if (syscall === "connect" || syscall === "getaddrinfo" || code === "UND_ERR_CONNECT_TIMEOUT") return true;
  return typeof code === "string" && BAD_CERTIFICATE.test(code);
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

function queryString(query: ApiRequest<unknown>["query"] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined) parameters.append(name, String(each));
  }
  return parameters.size === 0 ? "" : `?${parameters.toString()}`;
}
