/** How answers travel: redirects, compression, character sets and numbers that no double holds. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text as readBody } from "node:stream/consumers";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { insuranceClient } from "#app/insurance/client.ts";
import { Rejected } from "#app/insurance/errors.ts";
import { listen } from "#test/sandbox/listen.ts";
import { errorOf, newPlan } from "./setup.ts";

interface Received {
  method: string;
  url: string;
  token: string | undefined;
  type: string | undefined;
  body: string;
}
let received: Received[] = [];
let respond: (request: IncomingMessage, outgoing: ServerResponse) => void = () => undefined;
const server = createServer((request, outgoing) => {
  const { method = "", url = "", headers } = request;
  void readBody(request).then((body) => {
    received.push({ method, url, token: headers.authorization, type: headers["content-type"], body });
    respond(request, outgoing);
  });
});
const { url: baseUrl, close } = await listen(server);
afterAll(close);
const client = insuranceClient({ baseUrl, storeId: "s", token: "t", key: "transport" }, { attempts: 1 });
const CATEGORIES = "/api/v2/store/s/categories";

/** Redirects everything that does not end with a slash, as Django and nginx do. */
function redirect(status: number, location: (url: string) => string, answer: unknown) {
  received = [];
  respond = ({ url = "" }, outgoing) => {
    if (/\/(?:\?|$)/.test(url)) outgoing.end(JSON.stringify(answer));
    else outgoing.writeHead(status, { location: location(url) }).end("moved");
  };
}
const withSlash = (url: string) => url.replace(/(\?|$)/, "/$1");

describe("a redirect on the same origin", () => {
  it.each([301, 302, 307, 308])("%i of a read is followed with the token", async (status) => {
    redirect(status, (url) => `${baseUrl}${withSlash(url)}`, [{ id: "A" }]);
    expect(await client.categories.list()).toMatchObject([{ id: "A" }]);
    expect(received.map(({ url, token }) => [url, token])).toEqual([
      [CATEGORIES, "Bearer t"],
      [`${CATEGORIES}/`, "Bearer t"],
    ]);
  });

  it.each([307, 308])("%i of a write is followed with its method and body", async (status) => {
    redirect(status, withSlash, { contract_id: "CT-1", status: "active" });
    expect(await client.plans.create(newPlan())).toMatchObject({ contractId: "CT-1" });
    const [first, second] = received;
    expect(second).toEqual({ ...first, url: "/api/v2/store/s/plans/" });
  });

  it.each([301, 302, 303])("%i of a write is a refusal: it is not clear what to send", async (status) => {
    redirect(status, withSlash, {});
    expect(await errorOf(client.orders.cancel("1"))).toBeInstanceOf(Rejected);
    expect(received).toHaveLength(1);
  });

  it("is not followed in circles", async () => {
    redirect(308, (url) => url, {});
    expect(await errorOf(client.categories.list())).toMatchObject({ status: 308 });
    expect(received).toHaveLength(4);
  });
});

it.each(["http://localhost:9/", "//example.com/", "https://127.0.0.1/", "http://[", "mailto:a"])(
  "a redirect to another origin is not followed: %s",
  async (location) => {
    redirect(308, () => location, {});
    const failure = await errorOf(client.categories.list());
    expect(failure).toMatchObject({ status: 308, attempts: 1 });
    expect(String(failure)).toContain("redirects to another address");
    expect(received).toHaveLength(1);
  },
);

describe("a compressed answer", () => {
  const json = JSON.stringify([{ id: "A" }]);
  it.each([
    ["gzip", gzipSync(json)],
    ["deflate", deflateSync(json)],
    ["br", brotliCompressSync(json)],
  ])("of %s is decoded, although none is requested", async (encoding, bytes) => {
    respond = ({ headers }, outgoing) => {
      expect(headers["accept-encoding"]).toBeUndefined();
      outgoing.writeHead(200, { "content-encoding": encoding }).end(bytes);
    };
    expect(await client.categories.list()).toMatchObject([{ id: "A" }]);
  });

  it("says why it refuses, and ends at the limit of its decoded size", async () => {
    respond = (_, outgoing) =>
      outgoing.writeHead(422, { "content-encoding": "gzip" }).end(gzipSync('{"message":"no such store"}'));
    expect(await errorOf(client.categories.list())).toMatchObject({ insurerMessage: "no such store" });
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, " "));
    respond = (_, outgoing) => outgoing.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    expect(await errorOf(client.categories.list())).toMatchObject({ code: "too_large" });
  });
});

it.each([
  ["application/json; charset=ISO-8859-1", Buffer.from('[{"id":"Téléphone"}]', "latin1")],
  ['text/plain;charset="utf-8"', Buffer.from('[{"id":"Téléphone"}]')],
  ["application/json; charset=none-such", Buffer.from('[{"id":"Téléphone"}]')],
])("an answer is read in the character set of its header: %s", async (type, bytes) => {
  respond = (_, outgoing) => outgoing.writeHead(200, { "content-type": type }).end(bytes);
  expect(await client.categories.list()).toMatchObject([{ id: "Téléphone" }]);
});

it("a cancellation carries an empty JSON object", async () => {
  received = [];
  respond = (_, outgoing) => outgoing.end("{}");
  await client.orders.cancel("6001");
  expect(received).toMatchObject([{ method: "PATCH", type: "application/json", body: "{}" }]);
});

it.each([0, 400_000])(
  "an id of twenty digits is exact, with a text of %i characters beside it",
  async (length) => {
    const text = `"}: 12345678901234567890,${"x".repeat(length)}"`;
    respond = (_, outgoing) =>
      outgoing.end(
        `[{"id":98765432109876543210,"legal_documents":{"cg_url":${text.replace('"}', '"\\"}')}}}]`,
      );
    const [category] = await client.categories.list();
    expect(category?.id).toBe("98765432109876543210");
    expect(category?.legal.conditionsUrl.slice(0, 25)).toBe('"}: 12345678901234567890,');
  },
);
