/** Endless bodies from any sender: the app refuses them while reading, so it never holds one whole. */
import { createServer } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bodyLimits } from "#app/platform/body.server.ts";
import { action as checkCart } from "#app/routes/proxy.cart.tsx";
import { action as connection } from "#app/routes/app.connection/route.tsx";
import { action as webhooks } from "#app/routes/webhooks.tsx";
import { handleWebhookRequest, isWebhookRequest } from "#app/webhooks/intake.server.ts";
import { installApp } from "#test/install.ts";
import { listen } from "#test/sandbox/listen.ts";
import { signedQuery } from "#test/sandbox/shop/storefront/app-proxy.ts";
import { adminRequest, secrets, shop } from "#test/world.ts";

const MIB = 1024 * 1024;
const chunk = new Uint8Array(64 * 1024);

const server = createServer((request, response) => {
  if (isWebhookRequest(request)) void handleWebhookRequest(request, response);
  else response.writeHead(404).end();
});
const { port, close } = await listen(server);
beforeAll(() => installApp());
afterAll(close);

/**
 * Sends up to `limit` bytes of unknown length, until the server closes the connection.
 * @returns the start of the response, and the number of sent bytes
 */
function flood(path: string, limit: number): Promise<{ response: string; sent: number }> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let sent = 0;
    let response = "";
    const head = `POST ${path} HTTP/1.1\r\nhost: app.test\r\ntransfer-encoding: chunked\r\n\r\n`;
    const packet = Buffer.concat([
      Buffer.from(`${chunk.length.toString(16)}\r\n`),
      chunk,
      Buffer.from("\r\n"),
    ]);
    const send = (): void => {
      while (sent < limit && !socket.destroyed) {
        sent += chunk.length;
        if (!socket.write(packet)) return;
      }
    };
    socket.on("data", (data) => (response += data.toString()));
    socket.on("drain", send);
    // The server closes the connection while bytes are in transit.
    socket.on("error", () => undefined);
    socket.on("close", () => resolve({ response, sent }));
    socket.write(head);
    send();
  });
}

test.each(["/webhooks", "/webhooks?x", "/webhooks/", "/webhooks/?x=1"])(
  "POST %s with 200 MB is answered 413 after a few of them",
  async (path) => {
    const { response, sent } = await flood(path, 200 * MIB);
    // Empty if the connection closed before the response arrived.
    expect(["", "413"]).toContain(response.slice("HTTP/1.1 ".length, "HTTP/1.1 413".length));
    // The sockets' buffers add to the limit.
    expect(sent).toBeLessThan(bodyLimits.webhook + 16 * MIB);
  },
);

/** An endless body that counts the consumed bytes. */
function endless(): { body: ReadableStream<Uint8Array>; taken: () => number } {
  let bytes = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      bytes += chunk.length;
      controller.enqueue(chunk);
    },
  });
  return { body, taken: () => bytes };
}

const endpoints = [
  {
    name: "the webhook route of the framework",
    action: webhooks,
    path: "/webhooks",
    type: "application/json",
    limit: bodyLimits.webhook,
  },
  {
    name: "a form of the admin",
    action: connection,
    path: "/app/connection",
    type: "application/x-www-form-urlencoded",
    limit: bodyLimits.form,
  },
] as const;

test.each(endpoints)("$name stops reading at its limit", async ({ action, path, type, limit }) => {
  const { body, taken } = endless();
  const { headers, url } = await adminRequest(path);
  headers.set("content-type", type);
  const request = new Request(url, { method: "POST", headers, body, duplex: "half" });
  const response = await Promise.resolve(action({ request, params: {}, context: {} })).catch(
    (thrown: unknown) => thrown,
  );
  expect(response).toMatchObject({ status: 413 });
  expect(taken()).toBeLessThan(limit + 4 * chunk.length);
});

test("the cart of the app proxy stops reading at its limit", async () => {
  const { body, taken } = endless();
  const proxyShop = { shopDomain: shop.shopDomain, apiSecret: secrets.apiSecret };
  const query = signedQuery(new URLSearchParams(), "/apps/parasol", proxyShop);
  const url = `http://app.test/proxy/cart?${query.toString()}`;
  const request = new Request(url, { method: "POST", body, duplex: "half" });
  const response = await checkCart({ request, params: {}, context: {} }).catch((thrown: unknown) => thrown);
  expect(response).toMatchObject({ status: 413 });
  expect(taken()).toBeLessThan(bodyLimits.proxy + 4 * chunk.length);
});
