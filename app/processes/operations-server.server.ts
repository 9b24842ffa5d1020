/**
 * The operators' own port: `/metrics` for Prometheus, `/livez` for the supervisor that restarts a stuck process. It
 * authenticates no one, so that it listens on an address that the public cannot reach (app/platform/env.server.ts).
 */
import { workerIdleMs } from "#app/jobs/worker.server.ts";
import { AppError } from "#app/platform/app-error.ts";
import { log } from "#app/platform/log.server.ts";
import { createBoundedServer } from "./bounded-server.ts";
import { exposition } from "./gauges.server.ts";

/** Thirty polls of the queue. Jobs that run long do not count: the worker looks for work beside them. */
const STALLED_AFTER_MS = 60_000;

/**
 * Requests are few and small. A client that holds connections would keep a probe from learning that the process is
 * alive.
 */
const limits = {
  connections: 50,
  headersMs: 2_000,
  requestMs: 2_000,
  idleMs: 5_000,
  stalledMs: 10_000,
  checkMs: 1_000,
};

export interface OperationsOptions {
  host: string;
  /** 0: any free one */
  port: number;
  stalledAfterMs?: number;
}

export interface OperationsServer {
  port: number;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  contentType?: string;
  body: string;
}

export async function serveOperations({
  host,
  port,
  stalledAfterMs = STALLED_AFTER_MS,
}: OperationsOptions): Promise<OperationsServer> {
  const answers: Partial<Record<string, () => Promise<Answer>>> = {
    "/metrics": async () => ({ status: 200, ...(await exposition()) }),
    "/livez": () => Promise.resolve(liveness(stalledAfterMs)),
  };
  const server = createBoundedServer(limits, ({ method, url = "" }, response) => {
    const answer = method === "GET" ? answers[url] : undefined;
    const answered: Promise<Answer> = answer ? answer() : Promise.resolve({ status: 404, body: "" });
    answered.then(
      ({ status, body, contentType = "text/plain; charset=utf-8" }) =>
        response.writeHead(status, { "content-type": contentType, "cache-control": "no-store" }).end(body),
      (error: unknown) => {
        log.error({ err: error }, "Failed to answer a request of the metrics");
        response.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new AppError("The metrics have no port");
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Where no worker runs, any answer shows that the process is alive. */
function liveness(stalledAfterMs: number): Answer {
  const idleMs = workerIdleMs();
  if (idleMs === null || idleMs < stalledAfterMs) return { status: 200, body: "alive\n" };
  return {
    status: 503,
    body: `the worker has not looked for work for ${Math.round(idleMs / 1_000)} seconds\n`,
  };
}
