/** Retries, the circuit breaker and the concurrency limit, each per account. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { insuranceClient, type InsuranceClient } from "#app/insurance/client.ts";
import {
  RateLimited,
  Unauthorised,
  Unavailable,
  UnknownOutcome,
  UnreadableResponse,
} from "#app/insurance/errors.ts";
import { accountLimits } from "#app/insurance/limits.ts";
import { steadyPort } from "#test/cluster.ts";
import { eventually } from "#test/eventually.ts";
import { listen, type Listening } from "#test/sandbox/listen.ts";
import { startInsurance, type Insurance } from "#test/sandbox/insurance/server.ts";
import { requestCount, clientOf, control, errorOf, newPlan } from "./setup.ts";
import type { NewFault } from "#test/sandbox/faults.ts";

let insurance: Insurance;

beforeAll(async () => {
  insurance = await startInsurance({ sales: 0 });
});
afterAll(() => insurance.close());
afterEach(() => control(insurance, "POST", "/reset"));

describe("an insurer that is not there", () => {
  it("is tried three times, and a write may be repeated later: nothing arrived", async () => {
    const options = { maxRetryDelayMs: 5 };
    const account = { storeId: "s", token: "t", key: "nobody home" };
    const client = insuranceClient(
      { ...account, baseUrl: `http://127.0.0.1:${await steadyPort()}` },
      options,
    );
    const failure = await errorOf(client.plans.create(newPlan()));
    expect(failure).toBeInstanceOf(Unavailable);
    expect(failure).toMatchObject({ attempts: 3, status: null });
  });

  it("is found again when it comes up between two attempts, and the plan is made once", async () => {
    const port = await steadyPort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const { store_id: storeId, token_test: token } = insurance;
    const log = { debug: () => undefined, warn: () => undefined };
    const client = insuranceClient(
      { baseUrl, storeId, token, key: "late" },
      { attempts: 1_000, maxRetryDelayMs: 20, log },
    );
    const creation = client.plans.create(newPlan());
    // A port of the stand-in, opened after the first attempts were refused.
    const server = createServer((incoming, outgoing) => {
      void fetch(`${insurance.base_url}${incoming.url ?? ""}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(planOf()),
      }).then(async (response) => outgoing.writeHead(response.status).end(await response.text()));
    });
    const { close } = await listen(server, { port });
    expect((await creation).status).toBe("active");
    expect(insurance.plans().length).toBe(1);
    await close();
  });

  it("with a bad address is a mistake of the caller", () => {
    const account = { storeId: "s", token: "t", key: "k" };
    expect(() => insuranceClient({ ...account, baseUrl: "not an address" })).toThrow(TypeError);
    expect(() => insuranceClient({ ...account, baseUrl: insurance.base_url, storeId: ".." })).toThrow(
      TypeError,
    );
  });
});

describe("the circuit breaker", () => {
  it("opens after failures in a row, spares the insurer, and lets nothing of another account wait", async () => {
    const options = { attempts: 1, breaker: { failures: 3, openMs: 60_000 } };
    const client = clientOf(insurance, options);
    const neighbour = clientOf(insurance, options);
    insurance.faults.add({ operation: "plans.list", kind: "status", status: 503, times: null });
    for (let failed = 0; failed < 3; failed += 1) await errorOf(client.plans.list());
    const before = requestCount(insurance, "plans.list");

    const refused = await errorOf(client.plans.create(newPlan()));
    expect(refused).toBeInstanceOf(Unavailable);
    expect(refused).toMatchObject({ attempts: 0, retryAfterMs: 60_000 });
    await errorOf(client.plans.list());
    expect(requestCount(insurance, "plans.list")).toBe(before);
    expect(insurance.plans()).toEqual([]);

    expect((await neighbour.categories.list()).length).toBe(3);
  });

  it("lets one call through after a while and closes when that one is answered", async () => {
    const client = clientOf(insurance, { attempts: 1, breaker: { failures: 2, openMs: 1_000 } });
    insurance.faults.add({ operation: "categories.list", kind: "reset_before", times: 2 });
    await errorOf(client.categories.list());
    await errorOf(client.categories.list());
    expect(await errorOf(client.categories.list())).toMatchObject({ attempts: 0 });
    await eventually(async () => expect(await client.categories.list()).toHaveLength(3));
    expect((await client.plans.create(newPlan())).status).toBe("active");
  });

  it("of offers is their own: plans are created however offers fail or hang", async () => {
    const options = { attempts: 1, concurrency: 2, breaker: { failures: 2, openMs: 60_000 } };
    const client = clientOf(insurance, options);
    const query = { categoryId: "Phones", productPriceMinor: 100 };
    insurance.faults.add({ operation: "offers.list", kind: "status", status: 503, times: 2 });
    await errorOf(client.offers.list(query));
    await errorOf(client.offers.list(query));
    expect(await errorOf(client.offers.list(query))).toMatchObject({ attempts: 0 });
    expect((await client.plans.create(newPlan())).status).toBe("active");

    const slow = clientOf(insurance, options);
    insurance.faults.add({ operation: "offers.list", kind: "hang_before", times: null });
    void errorOf(slow.offers.list(query));
    void errorOf(slow.offers.list(query));
    await eventually(() => expect(requestCount(insurance, "offers.list")).toBe(4));
    expect((await slow.plans.create(newPlan())).status).toBe("active");
  });

  it("stays open however many other accounts there are", async () => {
    const account = {
      baseUrl: insurance.base_url,
      storeId: insurance.store_id,
      token: insurance.token_test,
      key: "one of very many",
    };
    const client = insuranceClient(account, { attempts: 1, breaker: { failures: 1, openMs: 60_000 } });
    insurance.faults.add({ operation: "categories.list", kind: "status", status: 503 });
    await errorOf(client.categories.list());
    for (let other = 0; other < 12_000; other += 1) accountLimits(`other ${other}`, {});
    expect(await errorOf(insuranceClient(account).categories.list())).toMatchObject({ attempts: 0 });
  });

  it("is not opened by refusals, which are answers", async () => {
    const client = clientOf(insurance, { attempts: 1, breaker: { failures: 2, openMs: 60_000 } });
    for (const status of [401, 404, 422, 429]) {
      insurance.faults.add({ operation: "plans.get", kind: "status", status });
      expect(await errorOf(client.plans.get("CT-1"))).toMatchObject({ status, attempts: 1 });
    }
    expect((await client.categories.list()).length).toBe(3);
  });
});

describe("the concurrency limit", () => {
  it("limits concurrent requests per account, also across its clients", async () => {
    const held: ServerResponse[] = [];
    let holding = true;
    const server = createServer((incoming, outgoing) => {
      if (holding && incoming.url?.endsWith("/categories") === true) held.push(outgoing);
      else outgoing.end("[]");
    });
    const { url: baseUrl, close } = await listen(server);
    const account = { baseUrl, storeId: "s", token: "t", key: "limited" };
    const one = insuranceClient(account, { concurrency: 3 });
    const two = insuranceClient(account, { concurrency: 3 });
    const lists = Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? one : two).categories.list()),
    );
    await eventually(() => expect(held).toHaveLength(3));
    // Whatever else had been sent would have come in before these calls of another account, made one after another.
    const other = insuranceClient({ ...account, key: "not limited" });
    for (let iteration = 0; iteration < 20; iteration += 1) await other.claims.listReadable();
    expect(held.length).toBe(3);
    holding = false;
    for (const answer of held) answer.end("[]");
    expect((await lists).length).toBe(12);
    await close();
  });
});

describe("a rate limit under load", () => {
  it("ends as RateLimited when it outlasts the attempts", async () => {
    const client = clientOf(insurance, { attempts: 2 });
    insurance.faults.add({ operation: "categories.list", kind: "status", status: 429, times: null });
    const failure = await errorOf(client.categories.list());
    expect(failure).toBeInstanceOf(RateLimited);
    expect(requestCount(insurance, "categories.list")).toBe(2);
  });
});

describe("a list of offers without end", () => {
  it("is no answer", async () => {
    const offer = {
      reference_id: "A",
      contract_id: "C",
      category_id: "P",
      category: { id: "P" },
      title: "T",
      term_length: "12 mois",
      price: 1,
      currency_code: "EUR",
      price_band_min: 0,
      price_band_max: 9,
      billing: "annually",
    };
    const list = (count: number): NewFault => ({
      operation: "offers.list",
      kind: "json",
      answer: Array(count).fill(offer),
    });
    const query = { categoryId: "P", productPriceMinor: 5 };
    insurance.faults.add(list(1_000));
    expect(await clientOf(insurance).offers.list(query)).toHaveLength(1_000);
    insurance.faults.add(list(1_001));
    expect(await errorOf(clientOf(insurance).offers.list(query))).toBeInstanceOf(UnreadableResponse);
  });
});

describe("an insurer gone bad", () => {
  let respond: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  const bad = createServer((incoming, outgoing) => respond(incoming, outgoing));
  let listening: Listening;
  let client: InsuranceClient;
  beforeAll(async () => {
    listening = await listen(bad);
    const account = { baseUrl: listening.url, storeId: "s", token: "t", key: "gone bad" };
    client = insuranceClient(account, { attempts: 1, timeoutMs: 120_000 });
  });
  afterAll(() => listening.close());
  const answering = (json: string) => {
    respond = (_, outgoing) => outgoing.end(json);
  };

  it("has at most a thousand categories: each would become a product of the shop", async () => {
    const list = (length: number) => JSON.stringify(Array.from({ length }, (_, id) => ({ id: `C${id}` })));
    answering(list(1_000));
    expect(await client.categories.list()).toHaveLength(1_000);
    answering(list(100_000));
    expect(await errorOf(client.categories.list())).toBeInstanceOf(UnreadableResponse);
  });

  it("is not parsed where it sends megabytes of lists in lists, which take a hundred times their memory", async () => {
    const parse = vi.spyOn(JSON, "parse");
    const lists = "[".repeat(8_000_000);
    answering(lists);
    expect(await errorOf(client.claims.listReadable())).toBeInstanceOf(UnreadableResponse);
    // Brackets in a text are no lists.
    const headline = `"${"[{".repeat(100_000)}\\`;
    answering(JSON.stringify([{ id: "A", marketing_data: { buttons: { headline } } }]));
    expect(await client.categories.list()).toHaveLength(1);
    expect(parse.mock.calls.some(([text]) => text === lists)).toBe(false);
    parse.mockRestore();
  });

  it("does not block other requests while it parses long lists, and returns the same", async () => {
    const parse = vi.spyOn(JSON, "parse");
    const claims = Array.from({ length: 5_000 }, (_, number) => ({
      id: `CL-${number}`,
      approval_status: "pending",
      status: "é",
      claim_type: "\0theft",
      customer: null,
      plan_id: 7,
      filed_date: "01/02/2026",
    }));
    answering(JSON.stringify({ total: 100, data: { claims: claims.slice(0, 100) } }));
    const { items: few } = await client.claims.listReadable();
    answering(JSON.stringify({ total: 5_000, data: { claims } }));
    const { items: all } = await client.claims.listReadable();
    expect(all.map(({ id }) => id)).toEqual(claims.map(({ id }) => id));
    expect(all.slice(0, 100)).toEqual(few);
    answering(JSON.stringify([...claims, { id: "last" }]));
    expect((await client.claims.listReadable()).unreadable).toEqual({
      total: 5_001,
      count: 1,
      reasons: ["approval_status is missing"],
    });
    const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
    expect(longest).toBeLessThan(256 * 1024);
    parse.mockRestore();
  });

  it("is heard out for as much as each kind of answer needs", async () => {
    const padded = (bytes: number) => `[${" ".repeat(bytes - 2)}]`;
    const kB = 1024;
    const query = { categoryId: "P", productPriceMinor: 5 };
    const kinds: [() => Promise<unknown>, bytes: number][] = [
      [() => client.offers.list(query), 1024 * kB],
      [() => client.categories.list(), 4096 * kB],
      [() => client.plans.list({ customerEmail: "a@b.example" }), 4096 * kB],
      [async () => (await client.claims.listReadable({ planId: "1" })).items, 1024 * kB],
      [async () => (await client.claims.listReadable()).items, 16 * 1024 * kB],
    ];
    for (const [list, bytes] of kinds) {
      answering(padded(bytes));
      expect(await list()).toEqual([]);
      answering(padded(bytes + 1));
      expect(String(await errorOf(list()))).toContain(`more than ${bytes} bytes`);
    }
    answering(padded(128 * kB));
    expect(String(await errorOf(client.plans.get("1")))).toContain("0 plans where one is expected");
    answering(padded(128 * kB + 1));
    expect(String(await errorOf(client.plans.get("1")))).toContain("more than 131072 bytes");
    expect(await errorOf(client.plans.create(newPlan()))).toBeInstanceOf(UnknownOutcome);
  });

  it("leaves it open whether a quote was made where its answer is lists in lists, or a band beyond all money", async () => {
    const quote = {
      purchaseDate: "2026-03-30",
      categoryId: "Smartphone",
      customer: newPlan().customer,
      variant: newPlan().variant,
    };
    answering(`{"offers":${"[".repeat(100_000)}${"]".repeat(100_000)}}`);
    expect(await errorOf(client.leads.create(quote))).toBeInstanceOf(UnknownOutcome);
    const offer = { title: "", term_length: 12, price: 1, currency_code: "EUR", billing: "annually" };
    answering(
      JSON.stringify({
        id: "1",
        status: "active",
        purchase_date: "2026-03-30",
        expiration_date: "2026-04-30",
        category_id: "Smartphone",
        subscription_link: "",
        customer: null,
        variant: { title: "", price: 1, currency_code: "EUR", reference_id: "1" },
        offers: [{ ...offer, price_band_min: 0, price_band_max: Number.MAX_SAFE_INTEGER }],
      }),
    );
    expect((await client.leads.create(quote)).id).toBe("1");
  });

  it("is not followed to another origin, and not read without end", async () => {
    const requested: string[] = [];
    let sent = 0;
    respond = ({ url = "" }, outgoing) => {
      requested.push(url);
      outgoing.writeHead(307, { location: "http://127.0.0.1:9/api/v2/store/s/categories" }).end();
    };
    expect(await errorOf(client.categories.list())).toMatchObject({ status: 307 });
    expect(requested).toEqual(["/api/v2/store/s/categories"]);
    const chunk = Buffer.alloc(1024 * 1024, " ");
    respond = (_, outgoing) => {
      const send = (): void => {
        while (!outgoing.destroyed) {
          sent += chunk.length;
          if (!outgoing.write(chunk)) return;
        }
      };
      outgoing.on("drain", send);
      send();
    };
    expect(await errorOf(client.categories.list())).toBeInstanceOf(UnreadableResponse);
    expect(sent).toBeLessThan(64 * chunk.length);
  });
});

describe("a caller that may lose its right to a call", () => {
  it("is checked before every attempt, and nothing is sent once it is lost", async () => {
    const account = { storeId: "s", token: "t", key: "nobody answers" };
    const client = insuranceClient({ ...account, baseUrl: `http://127.0.0.1:${await steadyPort()}` });
    const rights = [true, false, true];
    const create = client.plans.create(newPlan(), { maySend: () => rights.shift() ?? false });
    const failure = await errorOf(create);
    expect(failure).toBeInstanceOf(Unavailable);
    expect(failure).toMatchObject({ attempts: 1 });
    expect(rights).toEqual([true]);
  });
});

describe("a token that no header can carry", () => {
  it("is unauthorised without being sent", async () => {
    const { base_url: baseUrl, store_id: storeId } = insurance;
    const client = insuranceClient({ baseUrl, storeId, token: "test_abc\nX-Other: 1", key: "pasted" });
    const failure = await errorOf(client.categories.list());
    expect(failure).toBeInstanceOf(Unauthorised);
    expect(insurance.traffic.log).toEqual([]);
  });
});

function planOf() {
  const { offerReferenceId, orderReferenceId } = newPlan();
  return {
    offer_reference_id: offerReferenceId,
    order_reference_id: orderReferenceId,
    variant: { reference_id: "44001", price: 449.9, currency_code: "EUR", title: "Smartphone" },
    customer: { email: "camille.martin@example.com", first_name: "Camille", last_name: "Martin" },
  };
}
