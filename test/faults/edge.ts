/**
 * A load balancer before the web processes: it probes /readyz of each and distributes requests over the ready ones,
 * over kept connections. If a process accepts no connection, it sends the request to another one.
 */
import { Agent, createServer, request } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { listen } from "#test/sandbox/listen.ts";

export interface Edge {
  /** the process receives requests after it reported ready */
  add(port: number): Promise<void>;
  /** number of 5xx responses and of requests without a response */
  failed: string[];
  answered(): number;
  close(): Promise<void>;
}

const CHECK_EVERY_MS = 100;

/** Each pair of connections decides by itself whether it stays open. */
function withoutConnection<Headers extends IncomingHttpHeaders>(headers: Headers): Headers {
  const passed = { ...headers };
  delete passed.connection;
  delete passed["keep-alive"];
  return passed;
}

export async function openEdge(port: number): Promise<Edge> {
  const backends = new Set<number>();
  const ready = new Set<number>();
  let requestNumber = 0;
  let answered = 0;
  const failed: string[] = [];
  const agent = new Agent({ keepAlive: true });

  const check = async (): Promise<void> => {
    await Promise.all(
      [...backends].map(async (backend) => {
        const isReady = await fetch(`http://127.0.0.1:${backend}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) ready.add(backend);
        else ready.delete(backend);
      }),
    );
  };
  const timer = setInterval(() => void check(), CHECK_EVERY_MS);

  /**
   * As a load balancer does: it retries only without a connection, because no server can have processed the request.
   */
  const pass = (incoming: IncomingMessage, body: Buffer, response: ServerResponse, tries: number): void => {
    const open = [...ready];
    const backend = open[(requestNumber += 1) % open.length];
    const fail = (reason: string) => {
      failed.push(`${incoming.method ?? ""} ${incoming.url ?? ""}: ${reason}`);
      response.writeHead(502).end();
    };
    if (backend === undefined) {
      fail("no server is ready");
      return;
    }
    const { method, url } = incoming;
    const headers = withoutConnection(incoming.headers);
    const passed = request({ host: "127.0.0.1", port: backend, method, path: url, headers, agent });
    passed.on("response", (answer) => {
      const { statusCode = 0 } = answer;
      if (statusCode >= 500) failed.push(`${method ?? ""} ${url ?? ""}: ${statusCode}`);
      answered += 1;
      response.writeHead(statusCode, withoutConnection(answer.headers));
      answer.pipe(response);
    });
    passed.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED" && tries > 0) pass(incoming, body, response, tries - 1);
      else fail(error.message);
    });
    passed.end(body);
  };

  const server = createServer({ keepAliveTimeout: 65_000 }, (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => pass(incoming, Buffer.concat(chunks), response, 3));
  });
  const listening = await listen(server, { port });
  return {
    failed,
    answered: () => answered,
    async add(backend) {
      backends.add(backend);
      await check();
    },
    async close() {
      clearInterval(timer);
      agent.destroy();
      await listening.close();
    },
  };
}
