/**
 * How a web process stops without cutting a request: first it says that it is not ready, so that the load balancer sends
 * no more; then every connection ends with its next answer; then the process may go.
 */
import { once } from "node:events";
import type { Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

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
