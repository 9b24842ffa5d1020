/**
 * The HTTP client that all endpoints share: it authenticates, retries, logs, and turns failures into an
 * InsuranceError. Resources describe their requests (`ApiRequest`) and get parsed responses.
 */
import { Agent, type Dispatcher } from "undici";
import { InsuranceError, Unauthorised, type RequestDetails } from "./errors.ts";
import { AttemptFailed } from "./failure.ts";
import { metrics } from "#app/platform/metrics.server.ts";
import { inSpan } from "#app/platform/tracing.server.ts";
import { accountLimits, failureOf, requestPolicy, type ResilienceOptions } from "./resilience.server.ts";
import { sendOnce, type ApiRequest, type Target } from "./send-once.server.ts";
import { toInsuranceError } from "./to-insurance-error.ts";

/** What the client logs to; pino's logger fits. */
interface Log {
  debug(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface ClientOptions extends ResilienceOptions {
  /** Where requests go; by default one pool of kept-alive connections for the process. */
  dispatcher?: Dispatcher;
  log?: Log;
}

export interface HttpClient {
  /** @throws InsuranceError */
  send: <T>(request: ApiRequest<T>) => Promise<T>;
}

const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/**
 * The connect timeout is well below the attempt's, so that an unreachable host shows as such: a request that was never
 * sent may be repeated, one that ran out of time may not.
 */
const processPool = new Agent({ connect: { timeout: 3000 }, maxResponseSize: MAX_RESPONSE_BYTES });

/** Where requests are sent, and for whom. */
export interface Account {
  baseUrl: string;
  token: string;
  /** Scope of the concurrency limit and the circuit breaker. */
  key: string;
}

/**
 * @param headers sent with every request
 * @throws TypeError when the base address is no URL
 */
export function createHttpClient(
  account: Account,
  headers: Record<string, string>,
  options: ClientOptions,
): HttpClient {
  const base = new URL(account.baseUrl);
  const target: Target = {
    dispatcher: options.dispatcher ?? processPool,
    origin: base.origin,
    prefix: base.pathname.replace(/\/+$/, ""),
    headers: { accept: "application/json", ...headers },
    token: account.token,
  };
  // A token with a line break or an accent comes from a careless paste: the service would not accept it either.
  const hasValidHeaders = Object.values(headers).every((value) => /^[\x20-\x7e]*$/.test(value));

  const send = <T>(request: ApiRequest<T>): Promise<T> => {
    const call = `${request.method} ${request.endpoint}`;
    return inSpan(call, { kind: "client" }, async (span) => {
      try {
        return await carryOut(request, call);
      } catch (error) {
        const status = error instanceof InsuranceError ? error.status : null;
        if (status !== null) span.setAttribute("http.response.status_code", status);
        throw error;
      }
    });
  };

  /** @param call the method and the endpoint, for metrics */
  const carryOut = async <T>(request: ApiRequest<T>, call: string): Promise<T> => {
    const isWrite = request.method !== "GET";
    const started = performance.now();
    const { method, path } = request;
    const details: RequestDetails = { method, path, status: null, attempts: 0, durationMs: 0 };
    if (!hasValidHeaders) throw new Unauthorised("the token holds characters that no token has", details);
    const limits = accountLimits(account.key, options);
    const ended = metrics.serviceCalls.startTimer({ endpoint: call });
    try {
      const response = await requestPolicy(limits, options, isWrite).execute(({ signal }) => {
        // The request may have waited long for its slot or its next attempt.
        if (request.maySend?.() === false) {
          const reason = "not sent, its caller had no right to it any more";
          throw new AttemptFailed({ kind: "not_sent", reason, retryAfterMs: null });
        }
        details.attempts += 1;
        details.status = null;
        return sendOnce(request, target, signal, (status) => (details.status = status));
      });
      details.durationMs = performance.now() - started;
      ended({ outcome: "ok" });
      options.log?.debug(details, "insurance call");
      return response;
    } catch (error) {
      const failure = failureOf(error, limits);
      if (failure === null) throw error;
      details.durationMs = performance.now() - started;
      const insuranceError = toInsuranceError(failure, isWrite, details);
      ended({ outcome: insuranceError.name });
      options.log?.warn({ ...details, error: insuranceError.name }, "insurance call failed");
      throw insuranceError;
    }
  };
  return { send };
}
