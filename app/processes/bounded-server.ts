/** An HTTP server whose connections cannot be held by sending or reading slowly, or filled with requests. */
import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

export interface ConnectionLimits {
  /** Each costs memory; more are refused. */
  connections: number;
  /** until a request's headers are there, and until all of it is */
  headersMs: number;
  requestMs: number;
  /** how long a connection may wait for its next request */
  idleMs: number;
  /**
   * How long nothing may move while an answer is awaited or sent: who does not read leaves it in the memory. Longer than
   * the slowest answer takes to begin.
   */
  stalledMs: number;
  /** how often the limits of sending are checked */
  checkMs: number;
}

/** Requests of a connection under way. Browsers and load balancers wait for each answer; a flood fits into a packet. */
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
 * What the app does not read of a body stays in the connection and hides the next request behind it, which may be
 * another client's by way of a load balancer: such a connection ends with its answer.
 */
function endUnlessRead(request: IncomingMessage, response: ServerResponse): void {
  const { "content-length": length = "0", "transfer-encoding": coding } = request.headers;
  if (length === "0" && coding === undefined) return;
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  request.once("end", () => (response.shouldKeepAlive = shouldKeepAlive));
}

/** What the web's `Request` refuses to be. */
const forbiddenMethods = new Set(["CONNECT", "TRACE", "TRACK"]);
/** A name or address, and a port. */
const host = /^(?:[a-z0-9._-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** `_data` is the parameter of Remix's former data requests, which fail in an app with single fetch. */
const asksForFormerData = (url: string) => new URLSearchParams(url.split("?")[1] ?? "").has("_data");

/** Whether Remix can make a request of it; anybody can send one that it fails at. */
export function isAnswerable({
  method = "",
  headers,
  url = "",
}: Pick<IncomingMessage, "method" | "headers" | "url">): boolean {
  return !forbiddenMethods.has(method) && host.test(headers.host ?? "") && !asksForFormerData(url);
}

// How a web process stops without cutting a request: first it says that it is not ready, so that the load balancer sends
// no more; then every connection ends with its next answer; then the process may go.

export interface StopTimes {
  /** how long the load balancer may take to notice; requests are still answered */
  delayMs: number;
  /** how long requests under way may take after that */
  limitMs: number;
}

export interface GracefulStop {
  /** false once the process has received the signal to stop */
  isReady(): boolean;
  /** @returns when the last connection has ended, or the time is over */
  stop(times: StopTimes): Promise<void>;
}

export function gracefulStop(server: Server): GracefulStop {
  let ready = true;
  server.prependListener("request", (_request, response) => {
    // The client opens its next connection elsewhere.
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
