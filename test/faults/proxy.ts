/**
 * A TCP proxy in front of a server: it counts messages, so that a test can time a fault to the message, and can cut the
 * connection.
 */
import { connect, createServer } from "node:net";
import type { Socket } from "node:net";

export interface TcpProxy {
  port: number;
  /** Called with each message of the server before it is passed on; it may delay it. */
  onAnswer: (number: number) => void | Promise<void>;
  /** Number of answers so far. */
  answers(): number;
  /** Cuts all connections and refuses new ones, until `mend`. */
  cut(): void;
  /**
   * The server's machine disappears silently: open and new connections stay open without an answer, until `mend`. The
   * server sees its connections closed.
   */
  vanish(): void;
  mend(): void;
  close(): Promise<void>;
}

/** The number of answers that end in a chunk of the server's bytes. */
export type Counter = (chunk: Buffer) => number;

/** PostgreSQL: one ReadyForQuery per finished statement, so one per commit of a single statement. */
export function postgresAnswers(): Counter {
  let rest = Buffer.alloc(0);
  let negotiating = true;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    // The answer to the TLS request is a single byte before the protocol begins.
    if (negotiating && rest[0] === 0x4e) rest = rest.subarray(1);
    negotiating = false;
    let ready = 0;
    while (rest.length >= 5) {
      const length = rest.readUInt32BE(1) + 1;
      if (rest.length < length) break;
      if (rest[0] === 0x5a) ready += 1;
      rest = rest.subarray(length);
    }
    return ready;
  };
}

/** HTTP: one per response head, which is near enough for small bodies. */
export function httpAnswers(): Counter {
  return (chunk) => chunk.toString("latin1").split("HTTP/1.1 ").length - 1;
}

/** @param counter a new one per connection */
export async function openProxy(
  target: { host?: string; port: number },
  counter: () => Counter,
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const upstreams = new Set<Socket>();
  let isCut = false;
  let isGone = false;
  let passed = 0;
  const proxy: TcpProxy = {
    port: 0,
    onAnswer: () => undefined,
    answers: () => passed,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    vanish() {
      isGone = true;
      for (const upstream of upstreams) upstream.destroy();
    },
    mend() {
      isCut = false;
      isGone = false;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    sockets.add(client);
    client.setNoDelay(true);
    client.once("close", () => sockets.delete(client));
    // These tests break connections on purpose.
    client.on("error", () => client.destroy());
    if (isGone) {
      client.resume();
      return;
    }
    const upstream = connect(target.port, target.host ?? "127.0.0.1");
    sockets.add(upstream);
    upstreams.add(upstream);
    upstream.setNoDelay(true);
    upstream.on("error", () => upstream.destroy());
    client.once("close", () => upstream.destroy());
    upstream.once("close", () => {
      sockets.delete(upstream);
      upstreams.delete(upstream);
      if (!isGone) client.destroy();
      else client.unpipe(upstream).resume();
    });
    client.pipe(upstream);
    const count = counter();
    let previous = Promise.resolve();
    upstream.on("data", (chunk: Buffer) => {
      const answers = count(chunk);
      previous = previous.then(async () => {
        for (let each = 0; each < answers; each++) {
          passed += 1;
          await proxy.onAnswer(passed);
        }
        if (!client.destroyed) client.write(chunk);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port");
  proxy.port = address.port;
  return proxy;
}
