/** Clients that hold their connection: over HTTP, with limits short enough for a test. */
import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { afterAll, expect, test } from "vitest";
import { createBoundedServer, MOST_PIPELINED } from "#app/processes/bounded-server.ts";
import { eventually } from "#test/eventually.ts";
import { listen } from "#test/sandbox/listen.ts";

const limits = {
  connections: 8,
  headersMs: 500,
  requestMs: 1_000,
  idleMs: 1_500,
  stalledMs: 1_000,
  checkMs: 100,
};
const page = Buffer.alloc(16 * 1024 * 1024, "x");
const requested: (string | undefined)[] = [];
const server = createBoundedServer(limits, (request, response) => {
  requested.push(request.url);
  if (request.url === "/never") return;
  // As Remix does: it starts to read each body, and a route may answer without it.
  if (request.url === "/unread") {
    request.once("data", () => request.pause());
    return void response.end("x");
  }
  if (request.method === "GET") response.end(request.url === "/large" ? page : "x");
  // A body is read to its end, as in every form.
  else request.on("end", () => response.end()).resume();
});
let accepted = 0;
server.on("connection", () => (accepted += 1));
const { port, url, close } = await listen(server);
afterAll(close);

/** Sends the text and never reads. */
function hold(text: string): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.pause();
  socket.write(text);
  return socket;
}

const count = () =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, connections) => (error ? reject(error) : resolve(connections))),
  );

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: app.test\r\n\r\n`;
const serves = async () => {
  const response = await fetch(url);
  return response.text();
};

test.each([
  ["says nothing", ""],
  ["does not end its headers", "GET / HTTP/1.1\r\nhost: app.test\r\nx-slow: "],
  ["does not send its body", "POST / HTTP/1.1\r\nhost: app.test\r\ncontent-length: 9\r\n\r\n"],
  ["sends no further request", get("/")],
  ["reads nothing", get("/large")],
  [
    "says two lengths",
    "POST / HTTP/1.1\r\nhost: app.test\r\ncontent-length: 9\r\ncontent-length: 10\r\n\r\n",
  ],
])("a client that %s loses its connection, and others are served again", async (_, text) => {
  const before = accepted;
  const sockets = Array.from({ length: limits.connections }, () => hold(text));
  await expect.poll(() => accepted - before).toBe(limits.connections);
  await expect.poll(count).toBe(0);
  for (const socket of sockets) socket.destroy();
  // A busy machine may not read even this in time.
  await expect.poll(serves).toBe("x");
});

test("of requests that are sent without waiting for answers, the first few are worked on", async () => {
  const closed = once(hold(get("/never").repeat(1_000)).resume(), "close");
  await closed;
  expect(requested.filter((url) => url === "/never")).toHaveLength(MOST_PIPELINED);
});

test("a request with both a length and chunks, which two servers may take for different ones, is none", async () => {
  const both =
    "POST /smuggled HTTP/1.1\r\nhost: app.test\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n";
  await once(hold(`${both}0\r\n\r\n${get("/smuggled")}`).resume(), "close");
  expect(requested).not.toContain("/smuggled");
});

/**
 * Sends a request on a new connection, and another once the response matches.
 * @returns the response after the connection has closed
 */
async function exchange(text: string, expected: RegExp, more: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  // Data sent to a closed connection.
  socket.on("error", () => undefined);
  let answer = "";
  let isSent = false;
  socket.on("data", (chunk) => {
    answer += String(chunk);
    // At once: an idle connection closes.
    if (isSent || !expected.test(answer)) return;
    isSent = true;
    socket.write(more);
  });
  socket.write(text);
  // Not `once`, which fails if the connection closes with an error.
  await new Promise<void>((resolve) => {
    socket.on("close", () => {
      resolve();
    });
  });
  return answer;
}

// On a busy machine the server's limits may also close these connections: then the test repeats the exchange on a new
// one.

test.each([
  ["content-length: 900000", "x".repeat(900_000)],
  ["transfer-encoding: chunked", `${(900_000).toString(16)}\r\n${"x".repeat(900_000)}\r\n0\r\n\r\n`],
])(
  "a body that is not read ends its connection, and no request waits behind it: %s",
  async (header, body) => {
    const begun = `POST /unread HTTP/1.1\r\nhost: app.test\r\n${header}\r\n\r\n${body.slice(0, 100_000)}`;
    // The response itself closes the connection: a limit would close it as well.
    const expected = /^HTTP\/1\.1 200 (?:.+\r\n)+?connection: close\r\n/i;
    await eventually(async () =>
      expect(await exchange(begun, expected, body.slice(100_000) + get("/behind"))).toMatch(expected),
    );
    expect(requested).not.toContain("/behind");
  },
);

test("a body that is read keeps its connection for the next request", async () => {
  const post = "POST / HTTP/1.1\r\nhost: app.test\r\ncontent-length: 3\r\n\r\nabc";
  await eventually(async () => {
    await exchange(post, /\r\nconnection: keep-alive\r\n/i, get("/next"));
    expect(requested).toContain("/next");
  });
});
