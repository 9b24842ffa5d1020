/** Faults on the way in: duplicates, disorder, lost webhooks, floods, and the database under the web process. */
import { execFile } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import type { Order } from "#test/sandbox/shop/state.ts";
import { breakService, mendService } from "./row.ts";
import type { Round, Row } from "./row.ts";
import { openTap, postgresAnswers } from "./tap.ts";

const run = promisify(execFile);

/** Asks for a reconciliation of every shop. */
async function reconcile(round: Round): Promise<void> {
  await run(
    process.execPath,
    ["test/faults/ask-sweep.ts", ...round.house.shops.map(({ shopDomain }) => shopDomain)],
    {
      env: {
        NODE_ENV: "production",
        PATH: process.env["PATH"],
        ...round.house.env,
        ...(await round.database()),
        LOG_LEVEL: "warn",
      },
    },
  );
}

/** Delivers what was delivered for an order once more, as another event. */
async function deliverAgain(round: Round, order: Order): Promise<void> {
  const [shop] = round.house.shops;
  const delivery = shop.webhooks.log.find(
    ({ topic, body }) => topic === "orders/paid" && body.includes(order.id),
  );
  if (!delivery) throw new Error("The order was never delivered");
  const answer = await fetch(`http://127.0.0.1:${round.house.webPort}/webhooks`, {
    method: "POST",
    body: delivery.body,
    headers: {
      ...delivery.headers,
      "X-Shopify-Event-Id": randomUUID(),
      "X-Shopify-Webhook-Id": randomUUID(),
      "X-Shopify-Hmac-Sha256": createHmac("sha256", round.house.env["SHOPIFY_API_SECRET"] ?? "")
        .update(delivery.body)
        .digest("base64"),
    },
  });
  if (answer.status !== 200) round.wrong.push(`another event of a known order was answered ${answer.status}`);
}

export const intakeRows: Row[] = [
  {
    row: 1,
    name: "one delivery 50 times at once",
    orders: { full: 40, short: 4 },
    async play(round) {
      await round.web({});
      await round.worker({});
      await round.worker({});
      round.house.shops[0].webhooks.knobs.duplicates = 49;
      for (let each = 0; each < round.orders; each++) {
        round.buy(round.random.between(1, 3));
        await wait(round.random.between(0, 200));
      }
    },
  },
  {
    row: 1,
    name: "one delivery 50 times at once, embedded database",
    orders: { full: 20, short: 3 },
    async play(round) {
      await round.database("embedded");
      await round.web({ WORKER: "inline" });
      round.house.shops[0].webhooks.knobs.duplicates = 49;
      for (let each = 0; each < round.orders; each++) {
        round.buy(round.random.between(1, 3));
        await wait(round.random.between(0, 200));
      }
    },
  },
  {
    row: 1,
    name: "one order under different event ids, with reconciliation running",
    orders: { full: 20, short: 3 },
    async play(round) {
      await round.web({});
      await Promise.all([round.worker({}), round.worker({})]);
      for (let each = 0; each < round.orders; each++) {
        const order = round.buy(round.random.between(1, 2));
        await Promise.all([
          each % 5 === 0 ? reconcile(round) : null,
          ...Array.from({ length: 10 }, () => deliverAgain(round, order)),
        ]);
      }
    },
  },
  {
    row: 2,
    name: "cancelled before, during, after paid",
    orders: { full: 60, short: 6 },
    async play(round) {
      const [shop] = round.house.shops;
      await round.web({});
      await Promise.all([round.worker({}), round.worker({})]);
      await breakService(round.house, { operation: "plans.create", kind: "latency", ms: 150, times: null });
      for (let each = 0; each < round.orders; each++) {
        const when = round.random.pick(["before", "during", "after"]);
        if (when === "before") shop.webhooks.knobs.disorder = 2;
        const order = round.buy(round.random.between(1, 3));
        if (when === "during") await wait(round.random.between(0, 500));
        if (when === "after") await wait(1_000);
        round.cancel(order);
        shop.webhooks.knobs.disorder = 0;
        shop.webhooks.release();
      }
      await mendService(round.house);
    },
  },
  {
    row: 5,
    name: "the database gone: 503 quickly, never a false 200, catches up",
    orders: { full: 60, short: 6 },
    async play(round) {
      const [shop] = round.house.shops;
      const tap = await openTap({ port: round.house.postgresPort }, postgresAnswers);
      const database = await round.database("server", tap.port);
      await round.web(database);
      await round.worker(database);
      for (let each = 0; each < round.orders / 2; each++) round.buy();
      await wait(300);
      tap.cut();
      const from = shop.webhooks.log.length;
      const minutes = round.short ? 0.1 : Number(process.env["FAULTS_MINUTES_WITHOUT_DATABASE"] ?? 1);
      const cutAt = Date.now();
      for (let each = 0; each < round.orders / 2; each++) {
        round.buy();
        await wait((minutes * 60_000) / round.orders / 2);
      }
      await wait(Math.max(0, minutes * 60_000 - (Date.now() - cutAt)));
      const attempts = shop.webhooks.log.slice(from).flatMap((delivery) => delivery.attempts);
      if (attempts.some(({ status }) => status === 200))
        round.wrong.push("a webhook was acknowledged without a database");
      if (!attempts.some(({ status }) => status === 503)) round.wrong.push("no webhook was answered 503");
      const slowest = Math.max(...attempts.map(({ ms }) => ms));
      if (slowest > 5_000) round.wrong.push(`an answer took ${slowest} ms: the platform waits 5 s`);
      tap.mend();
      // After so long the platform has given some up for good: that is what reconciliation is for.
      for (const delivery of shop.webhooks.log)
        if (delivery.state === "failed") shop.webhooks.redeliver(delivery.webhookId);
    },
  },
  {
    row: 8,
    name: "5% of webhooks dropped: reconciliation finds all",
    orders: { full: 200, short: 20 },
    async play(round) {
      const [shop] = round.house.shops;
      await round.web({});
      await Promise.all([round.worker({}), round.worker({})]);
      // The short form has too few orders for one in twenty.
      shop.webhooks.knobs.dropShare = round.short ? 0.3 : 0.05;
      for (let each = 0; each < round.orders; each++) {
        const order = round.buy(round.random.between(1, 2));
        if (round.random.next() < 0.2) round.cancel(order);
        if (each % 20 === 0) await wait(50);
      }
      shop.webhooks.knobs.dropShare = 0;
      const dropped = shop.webhooks.log.filter(({ state }) => state === "dropped").length;
      if (dropped === 0) round.wrong.push("no webhook was dropped, so nothing was tried");
      await shop.webhooks.settled();
      await reconcile(round);
    },
  },
  {
    row: 10,
    name: "1,000 paid orders in one second",
    orders: { full: 1_000, short: 100 },
    async play(round) {
      await round.web({});
      await Promise.all([round.worker({}), round.worker({})]);
      const started = Date.now();
      for (let each = 0; each < round.orders; each++) {
        round.buy();
        const due = (each * 1_000) / round.orders - (Date.now() - started);
        if (due > 0) await wait(due);
      }
    },
  },
];
