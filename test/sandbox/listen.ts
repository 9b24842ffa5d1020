/** The servers of stand-ins and tests, all on this machine. */
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";

export interface ListenOptions {
  /** 0 or missing: any free port */
  port?: number;
  /** default: `127.0.0.1` */
  hostname?: string;
}

export interface Listening {
  port: number;
  /** without a trailing slash */
  url: string;
  /** Closes the open connections and the server; does nothing if it is closed already. */
  close: () => Promise<void>;
}

/** @throws if the port is in use */
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

/** Serves a handler of web Requests, such as a Hono app. */
export async function serveFetch(answer: Answer, options: ListenOptions = {}): Promise<Listening> {
  // By default the library would replace this process's global Request and Response.
  const listener = getRequestListener(answer, { overrideGlobalObjects: false });
  // As behind a load balancer: a client must not receive a connection that was just closed.
  const server = createServer({ keepAliveTimeout: 65_000 }, (incoming, outgoing) => {
    void listener(incoming, outgoing);
  });
  return listen(server, options);
}
