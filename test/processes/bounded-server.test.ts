/** Clients that hold their connection: over HTTP, with limits that are short enough to be waited for. */
import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { afterAll, expect, test } from "vitest";
import { createBoundedServer, MOST_PIPELINED } from "#app/processes/bounded-server.ts";
import { listen } from "#test/sandbox/listen.ts";

const limits = {
  ...{ connections: 8, headersMs: 500, requestMs: 1_000, idleMs: 500, stalledMs: 1_000, checkMs: 100 },
};
const page = Buffer.alloc(16 * 1024 * 1024, "x");
const asked: (string | undefined)[] = [];
const server = createBoundedServer(limits, (request, response) => {
  asked.push(request.url);
  if (request.url === "/never") return;
  if (request.method === "GET") response.end(request.url === "/large" ? page : "x");
  // A body is read to its end, as every form is.
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
  ["asks for nothing more", get("/")],
  ["reads nothing", get("/large")],
  [
    "says two lengths",
    "POST / HTTP/1.1\r\nhost: app.test\r\ncontent-length: 9\r\ncontent-length: 10\r\n\r\n",
  ],
])("a client that %s loses its connection, and others are served again", async (_, text) => {
  const before = accepted;
  const sockets = Array.from({ length: limits.connections }, () => hold(text));
  await expect.poll(() => accepted - before, { timeout: 20_000 }).toBe(limits.connections);
  await expect.poll(count, { timeout: 20_000 }).toBe(0);
  for (const socket of sockets) socket.destroy();
  // A machine that is busy may not read even this in time.
  await expect.poll(serves, { timeout: 20_000 }).toBe("x");
});

test("of requests that are sent without waiting for answers, the first few are worked on", async () => {
  const closed = once(hold(get("/never").repeat(1_000)).resume(), "close");
  await closed;
  expect(asked.filter((url) => url === "/never")).toHaveLength(MOST_PIPELINED);
});

test("a request with both a length and chunks, which two servers may take for different ones, is none", async () => {
  const both =
    "POST /smuggled HTTP/1.1\r\nhost: app.test\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n";
  await once(hold(`${both}0\r\n\r\n${get("/smuggled")}`).resume(), "close");
  expect(asked).not.toContain("/smuggled");
});
