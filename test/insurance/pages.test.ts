/** Lists of several pages, in every way in which an insurer may say so, over HTTP. */
import { createServer } from "node:http";
import { afterAll, describe, expect, it } from "vitest";
import { insuranceClient } from "#app/insurance/client.ts";
import { UnreadableResponse } from "#app/insurance/errors.ts";
import { listen } from "#test/sandbox/listen.ts";
import { errorOf } from "./setup.ts";

const claims = Array.from({ length: 60 }, (_, number) => ({
  id: `CL-${number}`,
  approval_status: "pending",
  status: "open",
  claim_type: "theft",
  customer: null,
  plan_id: 9,
  filed_date: "01/02/2026",
}));
type Answer = (query: URLSearchParams, path: string) => { body: unknown; link?: string; status?: number };
let answer: Answer = () => ({ body: [] });
let urls: string[] = [];
const server = createServer(({ url = "", headers }, outgoing) => {
  urls.push(url);
  const { pathname, searchParams } = new URL(url, "http://localhost");
  expect(headers.authorization).toBe("Bearer t");
  const { body, link, status = 200 } = answer(searchParams, pathname);
  outgoing.writeHead(status, link === undefined ? {} : { link }).end(JSON.stringify(body));
});
const { url: baseUrl, close } = await listen(server);
afterAll(close);
const client = insuranceClient({ baseUrl, storeId: "s", token: "t", key: "pages" }, { attempts: 1 });

const PATH = "/api/v2/store/s/claims";
const pageOf = (query: URLSearchParams, size = 25) => {
  const page = Number(query.get("page") ?? 1);
  return { page, rows: claims.slice((page - 1) * size, page * size), isLast: page * size >= claims.length };
};

async function listed(respond: Answer) {
  urls = [];
  answer = respond;
  return (await client.claims.listReadable({ planId: "9" })).items.map(({ id }) => id);
}
const all = claims.map(({ id }) => id);

describe("all pages of a list are read", () => {
  it.each<[string, Answer]>([
    [
      "a Link header",
      (query) => {
        const { page, rows, isLast } = pageOf(query);
        const link = `<${PATH}?plan_id=9&page=1>; rel="first"${isLast ? "" : `, <${baseUrl}${PATH}?plan_id=9&page=${page + 1}>; rel="next"`}`;
        return { body: rows, link };
      },
    ],
    [
      "the address of the next page",
      (query) => {
        const { page, rows, isLast } = pageOf(query);
        return { body: { data: rows, links: { next: isLast ? null : `${PATH}?page=${page + 1}` } } };
      },
    ],
    [
      "the address in an object (HAL)",
      (query) => {
        const { page, rows, isLast } = pageOf(query);
        const next = isLast ? {} : { next: { href: `?page=${page + 1}` } };
        return { body: { _embedded: { claims: rows }, _links: { self: { href: PATH }, ...next } } };
      },
    ],
    [
      "the number of the next page",
      (query) => {
        const { page, rows, isLast } = pageOf(query);
        return { body: { claims: rows, next_page: isLast ? null : page + 1 } };
      },
    ],
    [
      "a cursor",
      (query) => {
        const from = Number(query.get("cursor")?.slice(1) ?? 0);
        const next_cursor = from + 25 < 60 ? `c${from + 25}` : null;
        return { body: { items: claims.slice(from, from + 25), meta: { next_cursor } } };
      },
    ],
    [
      "a total",
      (query) => {
        const { page, rows } = pageOf(query);
        return { body: { claims: rows, page, per_page: 25, total: 60 } };
      },
    ],
    [
      "a number of pages, from 0",
      (query) => {
        const page = Number(query.get("page") ?? 0);
        return { body: { claims: claims.slice(page * 25, page * 25 + 25), page, total_pages: 3 } };
      },
    ],
    [
      "that there is more",
      (query) => {
        const { rows, isLast } = pageOf(query);
        return { body: { claims: rows, has_more: !isLast } };
      },
    ],
    ["nothing, page by page", (query) => ({ body: pageOf(query).rows })],
    ["nothing, in pages that fill up", (query) => ({ body: pageOf(query, 20).rows })],
    [
      "nothing, while a new row shifts the others",
      (query) => {
        const page = Number(query.get("page") ?? 1);
        return { body: claims.slice((page - 1) * 25 - (page - 1), page * 25 - (page - 1)) };
      },
    ],
  ])("where it says %s", async (_, respond) => {
    expect(await listed(respond)).toEqual(all);
    expect(urls.length).toBeGreaterThan(1);
  });
});

describe("a list is whole", () => {
  const full: Answer = () => ({ body: claims.slice(0, 50) });
  it.each<[string, Answer]>([
    ["where the next page repeats it", full],
    [
      "where there is no next page",
      (query, path) => (query.has("page") ? { body: {}, status: 404 } : full(query, path)),
    ],
    [
      "where no page may be requested",
      (query, path) => (query.has("page") ? { body: {}, status: 422 } : full(query, path)),
    ],
  ])("%s", async (_, respond) => {
    expect(await listed(respond)).toHaveLength(50);
    expect(urls).toEqual([`${PATH}?plan_id=9`, `${PATH}?plan_id=9&page=2`]);
  });

  it("without another request where it says so, or is no full page", async () => {
    expect(await listed(() => ({ body: { claims: claims.slice(0, 50), total: 50 } }))).toHaveLength(50);
    expect(await listed(() => ({ body: claims }))).toHaveLength(60);
    expect(urls).toHaveLength(1);
  });
});

it.each<[string, Answer]>([
  ["on another origin", () => ({ body: claims.slice(0, 25), link: '<http://localhost:9/x>; rel="next"' })],
  [
    "not found",
    (query) => ({
      body: { claims: claims.slice(0, 25), next_page: 2 },
      status: query.has("page") ? 404 : 200,
    }),
  ],
  ["the same", () => ({ body: { claims: claims.slice(0, 25), total: 60 } })],
  [
    "empty, and the total is greater",
    (query) => ({ body: { claims: query.has("page") ? [] : claims.slice(0, 25), total: 60 } }),
  ],
])("a list is refused as incomplete where its next page is %s", async (_, respond) => {
  const failure = await errorOf(listed(respond));
  expect(failure).toBeInstanceOf(UnreadableResponse);
  expect(String(failure)).toMatch(/one page of several claims|on another origin/);
});
