/** A web process that receives the signal to stop finishes its running requests. */
import { createServer, Agent, request } from "node:http";
import { expect, test } from "vitest";
import { gracefulStop } from "#app/processes/bounded-server.ts";
import { listen } from "#test/sandbox/listen.ts";

test("requests under way are answered whole, later ones until the delay is over, and no process is ready meanwhile", async () => {
  const begun = Promise.withResolvers<undefined>();
  const mayEnd = Promise.withResolvers<undefined>();
  const server = createServer((incoming, response) => {
    if (incoming.url !== "/slow") return void response.end("quick");
    response.write("first ");
    begun.resolve(undefined);
    void mayEnd.promise.then(() => response.end("last"));
  });
  const stopping = gracefulStop(server);
  const { port } = await listen(server);
  const agent = new Agent({ keepAlive: true });
  const ask = (path: string) =>
    new Promise<{ body: string; connection: string | undefined }>((resolve, reject) => {
      request({ port, path, agent }, (response) => {
        let body = "";
        response.on("data", (chunk: Buffer) => (body += chunk.toString()));
        response.on("end", () => resolve({ body, connection: response.headers.connection }));
        response.on("error", reject);
      })
        .on("error", reject)
        .end();
    });

  expect(await ask("/")).toEqual({ body: "quick", connection: "keep-alive" });
  expect(stopping.isReady()).toBe(true);
  const slow = ask("/slow");
  await begun.promise;
  const stopped = stopping.stop({ delayMs: 10_000, limitMs: 60_000 });
  expect(stopping.isReady()).toBe(false);
  expect(await ask("/")).toEqual({ body: "quick", connection: "close" });
  let isOver = false;
  void stopped.then(() => (isOver = true));
  // Once the process refuses new connections, only the slow request remains.
  await expect
    .poll(() =>
      ask("/").then(
        () => "answered",
        (error: unknown) => String(error),
      ),
    )
    .toContain("ECONNREFUSED");
  expect(isOver).toBe(false);
  mayEnd.resolve(undefined);
  expect((await slow).body).toBe("first last");
  await stopped;
});
