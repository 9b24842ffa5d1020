/** An HTTP server whose connections nobody can hold by sending or reading slowly, or fill with requests. */
import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";

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
  /** how often the limits of sending are looked at */
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
      listener(request, response);
    },
  );
  server.timeout = limits.stalledMs;
  server.maxConnections = limits.connections;
  return server;
}
