/**
 * The insurance client beside a bare undici call to the same stand-in, its memory while it reads 100,000 sales, and how
 * long one answer of 100,000 plans keeps the process from other work. The service runs in a process of its own, so that
 * its work is not counted as the client's. Its parts are overhead, memory, list.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Agent, request } from "undici";
import { z } from "zod";
import { organisationAnalytics } from "#app/insurance/analytics.ts";
import { insuranceClient } from "#app/insurance/client.ts";
import { figure, median, runParts } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { startScript } from "./script.ts";

const CONCURRENCY = 16;
const ROUND_CALLS = 4000;
const ITERATIONS = 9;
const SALES = 100_000;
const PLANS = 100_000;

const addresses = z.object({
  base_url: z.string(),
  store_id: z.string(),
  token_test: z.string(),
  organisation_token: z.string(),
});

/** The stand-in in its own process; `stop` ends it. */
async function standIn(sales: number) {
  const args = ["--port", "0", "--sales", String(sales)];
  const { answer, stop } = await startScript("../sandbox/insurance/server.ts", args);
  return { ...addresses.parse(answer), stop };
}

/** Calls per second of `call`, CONCURRENCY at a time. */
async function rate(call: () => Promise<unknown>): Promise<number> {
  let left = ROUND_CALLS;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (left > 0) {
        left -= 1;
        await call();
      }
    }),
  );
  return ROUND_CALLS / ((performance.now() - started) / 1000);
}

/** Both ways alternately, so that other load on the machine affects both alike. */
async function sideBySide(bare: () => Promise<unknown>, client: () => Promise<unknown>) {
  await rate(bare);
  await rate(client);
  const iterations: { bare: number; client: number }[] = [];
  for (let iteration = 0; iteration < ITERATIONS; iteration += 1) {
    const first = iteration % 2 === 0;
    const one = await rate(first ? bare : client);
    const two = await rate(first ? client : bare);
    iterations.push(first ? { bare: one, client: two } : { bare: two, client: one });
  }
  return {
    bare: median(iterations.map((iteration) => iteration.bare)),
    client: median(iterations.map((iteration) => iteration.client)),
    ratio: median(iterations.map((iteration) => iteration.client / iteration.bare)),
  };
}

async function overhead(): Promise<Figure[]> {
  const { base_url: baseUrl, store_id: storeId, token_test: token, stop } = await standIn(0);
  const dispatcher = new Agent({ connections: CONCURRENCY });
  const client = insuranceClient(
    { baseUrl, storeId, token, key: "bench" },
    { dispatcher, concurrency: CONCURRENCY },
  );
  const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
  const query = {
    categoryId: "Smartphone casse et vol",
    productReferenceId: "44001",
    productPriceMinor: 44_990,
  };
  const url = `${baseUrl}/api/v2/store/${storeId}/offers?category_id=Smartphone+casse+et+vol&product_reference_id=44001&product_price=44990`;
  const offers = await sideBySide(
    async () => (await request(url, { headers, dispatcher })).body.json(),
    () => client.offers.list(query),
  );

  const plan = {
    offerReferenceId: "SMA-CV-24-05",
    orderReferenceId: "1",
    variant: { referenceId: "44001", priceMinor: 44_990, currencyCode: "EUR", title: "Smartphone" },
    customer: { email: "a@example.com", firstName: "A", lastName: "B", phone: null, address: null },
  };
  const body = JSON.stringify({
    offer_reference_id: "SMA-CV-24-05",
    order_reference_id: "1",
    variant: { reference_id: "44001", price: 449.9, currency_code: "EUR", title: "Smartphone" },
    customer: { email: "a@example.com", first_name: "A", last_name: "B" },
  });
  const post = {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body,
    dispatcher,
  } as const;
  const plans = await sideBySide(
    async () => (await request(`${baseUrl}/api/v2/store/${storeId}/plans`, post)).body.json(),
    () => client.plans.create(plan),
  );
  await dispatcher.destroy();
  stop();

  return [
    figure("offers, bare undici", offers.bare, "requests/s"),
    figure("offers, client", offers.client, "requests/s"),
    figure("offers, client over bare", offers.ratio, "ratio", "at least 0.8", offers.ratio >= 0.8),
    figure("plans created, bare undici", plans.bare, "requests/s"),
    figure("plans created, client", plans.client, "requests/s"),
    figure("plans created, client over bare", plans.ratio, "ratio", "at least 0.8", plans.ratio >= 0.8),
  ];
}

async function memory(): Promise<Figure[]> {
  setFlagsFromString("--expose-gc");
  const collect = z.custom<() => void>((value) => typeof value === "function").parse(runInNewContext("gc"));
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const { base_url: baseUrl, organisation_token: token, stop } = await standIn(SALES + 20_000);
  const analytics = organisationAnalytics({ baseUrl, token, key: "bench walk" });
  let walked = 0;
  let early = 0;
  let highest = 0;
  for await (const { items } of analytics.sales()) {
    walked += items.length;
    // The first tenth warms up: compiled code and connections are not memory of the reading.
    if (walked === SALES / 10) early = heap();
    if (walked > SALES / 10 && walked % (SALES / 20) === 0) highest = Math.max(highest, heap());
    if (walked === SALES) break;
  }
  stop();
  const growth = highest - early;
  return [
    figure("sales walked", walked, "sales"),
    figure("heap after 10,000 sales", early, "bytes"),
    figure("highest heap from there to 100,000 sales", highest, "bytes"),
    figure("growth of the heap", growth, "bytes", "flat: at most 1,000,000", growth <= 1_000_000),
  ];
}

/** The third reading counts: the first ones compile the code. */
async function list(): Promise<Figure[]> {
  const { answer, stop } = await startScript("insurance/plan-list.ts", [String(PLANS)]);
  const { url, bytes } = z.object({ url: z.string(), bytes: z.number() }).parse(answer);
  const account = { baseUrl: url, storeId: "s", token: "t", key: "bench list" };
  const client = insuranceClient(account, { timeoutMs: 120_000 });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let [plans, took] = [0, 0];
  for (let reading = 0; reading < 3; reading += 1) {
    delay.enable();
    // The monitor needs a moment before it sees a delay.
    await wait(50);
    delay.reset();
    const started = performance.now();
    plans = (await client.plans.list()).length;
    took = performance.now() - started;
    await wait(50);
    delay.disable();
  }
  stop();
  const longest = delay.max / 1e6;
  return [
    figure("plans in one answer", plans, "plans"),
    figure("its size", bytes, "bytes"),
    figure("until it is read", took, "ms"),
    figure("longest time without other work", longest, "ms", "at most 200", longest <= 200),
  ];
}

export async function bench(): Promise<Figure[]> {
  return runParts({ overhead, memory, list });
}
