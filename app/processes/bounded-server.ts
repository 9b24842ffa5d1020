/** An HTTP server with limits on slow clients and on pipelined requests. */
import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

export interface ConnectionLimits {
  /** The server refuses connections above this number, because each costs memory. */
  connections: number;
  /** time limits for a request's headers and for the whole request */
  headersMs: number;
  requestMs: number;
  /** how long an idle connection may wait for its next request */
  idleMs: number;
  /**
   * Timeout of a response without progress: a client that does not read keeps the response in memory. It is longer than
   * the slowest response needs to start.
   */
  stalledMs: number;
  /** how often the server checks for stalled responses */
  checkMs: number;
}

/**
 * Limit of concurrent requests per connection. Browsers and load balancers wait for each response; an attacker sends
 * many requests in one packet.
 */
export const MOST_PIPELINED = 10;

export function createBoundedServer(limits: ConnectionLimits, listener: RequestListener): Server {
  const underWay = new WeakMap<object, number>();
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      connectionsCheckingInterval: limits.checkMs,
    },
    (request, response) => {
      const { socket } = request;
      const before = underWay.get(socket) ?? 0;
      if (before >= MOST_PIPELINED) return void socket.destroy();
      underWay.set(socket, before + 1);
      response.once("close", () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1));
      endUnlessRead(request, response);
      listener(request, response);
    },
  );
  server.timeout = limits.stalledMs;
  server.maxConnections = limits.connections;
  return server;
}

/**
 * Closes the connection if the app did not read the whole body: the unread bytes hide the next request, which may come
 * from another client of the load balancer.
 */
function endUnlessRead(request: IncomingMessage, response: ServerResponse): void {
  const { "content-length": length = "0", "transfer-encoding": coding } = request.headers;
  if (length === "0" && coding === undefined) return;
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  request.once("end", () => (response.shouldKeepAlive = shouldKeepAlive));
}

/** Methods that the web's `Request` refuses. */
const forbiddenMethods = new Set(["CONNECT", "TRACE", "TRACK"]);
/** Matches a name or address, and a port. */
const host = /^(?:[a-z0-9._-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** `_data` is a parameter of Remix's former data requests. They fail in an app with single fetch. */
const asksForFormerData = (url: string) => new URLSearchParams(url.split("?")[1] ?? "").has("_data");

/** Whether Remix can build a `Request` from it. Remix fails on others with an unhandled error. */
export function isAnswerable({
  method = "",
  headers,
  url = "",
}: Pick<IncomingMessage, "method" | "headers" | "url">): boolean {
  return !forbiddenMethods.has(method) && host.test(headers.host ?? "") && !asksForFormerData(url);
}

// Graceful stop: first the process reports "not ready", so that the load balancer sends no more requests. Then every
// connection closes with its next response, and the process may exit.

export interface StopTimes {
  /** how long the load balancer may take to notice; the process still serves requests */
  delayMs: number;
  /** how long running requests may take after that */
  limitMs: number;
}

export interface GracefulStop {
  /** false once the process has received the signal to stop */
  isReady(): boolean;
  /** @returns when the last connection has closed, or after the timeout */
  stop(times: StopTimes): Promise<void>;
}

export function gracefulStop(server: Server): GracefulStop {
  let ready = true;
  server.prependListener("request", (_request, response) => {
    // The client opens its next connection to another process.
    if (!ready) response.setHeader("connection", "close");
  });
  return {
    isReady: () => ready,
    async stop({ delayMs, limitMs }) {
      ready = false;
      await wait(delayMs);
      const closed = once(server, "close");
      server.close();
      server.closeIdleConnections();
      await Promise.race([closed, wait(limitMs, undefined, { ref: false })]);
      server.closeAllConnections();
    },
  };
}
