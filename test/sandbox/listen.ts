/** The servers of stand-ins and tests, all on this machine. */
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";

export interface ListenOptions {
  /** 0 or missing: a free one */
  port?: number;
  /** `127.0.0.1` where missing */
  hostname?: string;
}

export interface Listening {
  port: number;
  /** without a slash at its end */
  url: string;
  /** Cuts the connections that are open; nothing where the server is closed already. */
  close: () => Promise<void>;
}

/** @throws where the port is taken */
export async function listen(
  server: Server,
  { port = 0, hostname = "127.0.0.1" }: ListenOptions = {},
): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return {
    port: address.port,
    url: `http://${hostname}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Answer = Parameters<typeof getRequestListener>[0];

/** Serves what answers requests with responses, such as an app of Hono's. */
export async function serveFetch(answer: Answer, options: ListenOptions = {}): Promise<Listening> {
  // Left to itself, the library puts its own Request and Response in the place of this process's.
  const listener = getRequestListener(answer, { overrideGlobalObjects: false });
  // As behind a load balancer: a client must not be handed a connection that was just closed.
  const server = createServer({ keepAliveTimeout: 65_000 }, (incoming, outgoing) => {
    void listener(incoming, outgoing);
  });
  return listen(server, options);
}
