/** Sends a request once and reads the response. */
import type { Dispatcher } from "undici";
import { BodyTooLarge, readBytes } from "#app/platform/body.server.ts";
import { AttemptFailed, retryAfterMs, type Failure } from "./failure.ts";
import { parseJson } from "./json.ts";
import { ResponseValidationError } from "./response-reader.ts";
import { serviceMessage } from "./service-message.ts";

export type Endpoint =
  | "offers"
  | "categories"
  | "plans"
  | "plans/{id}"
  | "leads"
  | "claims"
  | "orders"
  | "orders/{id}/cancel"
  | "analytics/sales"
  | "analytics/commissions";

export interface ApiRequest<T> {
  method: "GET" | "POST" | "PATCH";
  /** The endpoint as the spec writes it, without ids: for metrics. */
  endpoint: Endpoint;
  /** Path under the base address, without the query string: it goes into errors and logs. */
  path: string;
  query?: URLSearchParams;
  body?: unknown;
  /** The personal data in the request: removed where the service quotes it in an error message. */
  personal?: unknown;
  /** The response is about people whose data we may not know: error messages of the service are dropped altogether. */
  confidential?: boolean;
  /** Reads the JSON of a success. @throws ResponseValidationError */
  read: (body: unknown) => T;
  /** The most that a success may hold; by default what one object needs. */
  maxBytes?: number;
  /** The same as `read`, apart from the event loop. @throws SyntaxError, ResponseValidationError, an AbortError */
  readLarge?: (json: Uint8Array<ArrayBuffer>, signal: AbortSignal) => Promise<T>;
  /** The body of a success does not matter (its shape is not shown): `read` gets undefined. */
  statusOnly?: boolean;
  /** Keep numbers written with a decimal point as text: slower, and needed only where `49.0` must differ from `49`. */
  exactDecimals?: boolean;
  /** Called right before every attempt; nothing is sent once it returns false. */
  maySend?: () => boolean;
}

/** Where the service is, and what every request to it carries. */
export interface Target {
  dispatcher: Dispatcher;
  origin: string;
  /** Path of the base address, without a slash at its end. */
  prefix: string;
  headers: Record<string, string>;
  /** Removed where the service quotes it in an error message. */
  token: string;
}

/**
 * One HTTP exchange, without retries.
 * @param onStatus called with the status as soon as it is known
 * @throws AttemptFailed
 */
export async function sendOnce<T>(
  request: ApiRequest<T>,
  target: Target,
  signal: AbortSignal,
  onStatus: (status: number) => void,
): Promise<T> {
  const failed = (error: unknown): never => {
    throw new AttemptFailed(connectionFailure(error, signal.aborted));
  };
  const query = request.query && request.query.size > 0 ? `?${request.query.toString()}` : "";
  const hasBody = request.body !== undefined;
  const response = await target.dispatcher
    .request({
      origin: target.origin,
      path: `${target.prefix}${request.path}${query}`,
      method: request.method,
      headers: hasBody ? { ...target.headers, "content-type": "application/json" } : target.headers,
      body: hasBody ? JSON.stringify(request.body) : null,
      signal,
    })
    .catch(failed);
  const status = response.statusCode;
  onStatus(status);
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && request.statusOnly === true) {
    // The request succeeded, whatever happens to the rest of the response.
    await response.body.dump().catch(() => null);
    return request.read(undefined);
  }
  if (isSuccess) {
    const { maxBytes = MAX_OBJECT_BYTES } = request;
    const json = await readBytes(response.body, maxBytes).catch((error: unknown) => {
      if (!(error instanceof BodyTooLarge)) return failed(error);
      const reason = `more than ${maxBytes} bytes`;
      throw new AttemptFailed({ kind: "invalid_response", status, reason, field: null });
    });
    return readSuccess(request, status, json, signal);
  }
  const body = await readStart(response.body).catch(failed);
  throw new AttemptFailed({
    kind: "status",
    status,
    retryAfterMs: retryAfterMs(response.headers["retry-after"], Date.now()),
    serviceMessage:
      request.confidential === true ? "" : serviceMessage(body, [target.token, request.personal]),
  });
}

/** Error messages are short; what comes after is not read. */
const MAX_ERROR_BYTES = 64 * 1024;

async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MAX_ERROR_BYTES) break;
  }
  return Buffer.concat(chunks).toString("utf8", 0, MAX_ERROR_BYTES);
}

/** One plan or quote is a few kilobytes; with decimals as text, parsing takes longest. */
const MAX_OBJECT_BYTES = 128 * 1024;
/** What is parsed where others wait: some milliseconds, whatever it holds. */
const MAX_BYTES_IN_PLACE = 256 * 1024;

async function readSuccess<T>(
  request: ApiRequest<T>,
  status: number,
  json: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<T> {
  try {
    if (request.readLarge && json.length > MAX_BYTES_IN_PLACE) return await request.readLarge(json, signal);
    // "No content" is an empty list; any other empty body is not JSON.
    return request.read(status === 204 ? null : parseJson(json, request.exactDecimals));
  } catch (error) {
    if (signal.aborted) throw new AttemptFailed({ kind: "timeout" });
    if (error instanceof SyntaxError) throw new AttemptFailed({ kind: "invalid_json", status });
    if (!(error instanceof ResponseValidationError)) throw error;
    const { message: reason, field } = error;
    throw new AttemptFailed({ kind: "invalid_response", status, reason, field });
  }
}

/** Certificates are checked before anything is sent. */
const BAD_CERTIFICATE = /^(?:ERR_TLS_CERT|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/;

function connectionFailure(error: unknown, timedOut: boolean): Failure {
  if (timedOut) return { kind: "timeout" };
  // A host with several addresses fails with several errors: nothing was sent if nothing was sent to any of them.
  const errors = error instanceof AggregateError ? error.errors : [error];
  if (errors.length > 0 && errors.every(isBeforeSending)) return { kind: "unreachable", cause: error };
  return { kind: "interrupted", cause: error };
}

function isBeforeSending(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall }: Error & { code?: unknown; syscall?: unknown } = error;
  if (syscall === "connect" || syscall === "getaddrinfo" || code === "UND_ERR_CONNECT_TIMEOUT") return true;
  return typeof code === "string" && BAD_CERTIFICATE.test(code);
}
