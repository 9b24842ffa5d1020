/** An HTTP server whose connections nobody can hold by sending or reading slowly, or fill with requests. */
import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";

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
 * What nobody reads of a body stays in the connection, and nobody would see the next request behind it, which may be
 * somebody else's by way of a load balancer: such a connection ends with its answer.
 */
function endUnlessRead(request: IncomingMessage, response: ServerResponse): void {
  const { "content-length": length = "0", "transfer-encoding": coding } = request.headers;
  if (length === "0" && coding === undefined) return;
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  request.once("end", () => (response.shouldKeepAlive = shouldKeepAlive));
}
