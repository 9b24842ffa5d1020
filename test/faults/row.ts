/**
 * One row of the fault table: what happens, what has to come of it, and the judge. Contracts in the service must be
 * the expected ones, exactly one each; nothing that was acknowledged may be lost, nothing may be given up.
 */
import { setTimeout as wait } from "node:timers/promises";
import { join } from "node:path";
import pg from "pg";
import { z } from "zod";
import { cancelOrder, createPaidOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { customer } from "#test/plans/references.ts";
import { startProcess } from "./processes.ts";
import type { AppProcess } from "./processes.ts";
import type { Random } from "./random.ts";
import { insuredLines, serverUrl } from "./stage.ts";
import type { House } from "./stage.ts";

export interface Verdict {
  expected: number;
  found: number;
  lost: number;
  doubled: number;
  /** what else went wrong, in words */
  wrong: string[];
}

export interface Row {
  row: number;
  name: string;
  /** how many orders a full run takes; the short form in `npm test` takes fewer */
  orders: { full: number; short: number };
  play(round: Round): Promise<void>;
}

interface Expectation {
  order: Order;
  /** contracts in force in the end */
  inForce: number;
  /** contracts that may ever have been made: one per piece */
  atMost: number;
}

const contract = z.object({ order_reference_id: z.string(), status: z.string() });

/** One play of a row: its database, its processes and what it expects. */
export class Round {
  readonly house: House;
  readonly random: Random;
  readonly orders: number;
  /** true for the short form: waiting times are cut where they prove nothing more */
  readonly short: boolean;
  readonly wrong: string[] = [];
  readonly #expected = new Map<string, Expectation>();
  readonly #processes: AppProcess[] = [];
  #database: { name: string } | { folder: string } | null = null;
  #customers = 0;

  constructor(house: House, random: Random, orders: number, short: boolean) {
    this.house = house;
    this.random = random;
    this.orders = orders;
    this.short = short;
  }

  /** The database's address in the app's environment; `port` reaches the server through a tap. */
  async database(
    kind: "server" | "embedded" = "server",
    port = this.house.postgresPort,
  ): Promise<Record<string, string>> {
    this.#database ??=
      kind === "server"
        ? { name: await this.house.newServerDatabase() }
        : { folder: await this.house.newFolder() };
    return "name" in this.#database
      ? { DATABASE_URL: serverUrl(port, this.#database.name) }
      : { DATA_DIR: this.#database.folder };
  }

  get logFile(): string {
    return join(this.house.folder, "app.log");
  }

  async web(env: Record<string, string>, preload: string[] = []): Promise<AppProcess> {
    return this.#start("app/server.ts", { WORKER: "separate", ...env }, preload);
  }

  async worker(env: Record<string, string>, preload: string[] = []): Promise<AppProcess> {
    return this.#start("app/worker.ts", env, preload);
  }

  async #start(entry: "app/server.ts" | "app/worker.ts", env: Record<string, string>, preload: string[]) {
    const started = await startProcess({
      entry,
      env: { ...this.house.env, ...(await this.database()), ...env },
      logFile: this.logFile,
      preload,
    });
    this.#processes.push(started);
    return started;
  }

  /** Somebody buys one or more insured smartphones. */
  buy(quantity = 1, shop = this.house.shops[0]): Order {
    const { phone, plan } = insuredLines(this.house, shop, quantity);
    const order = createPaidOrder(shop.state, {
      lines: [phone, plan],
      email: `ana${(this.#customers += 1)}@example.com`,
      billingAddress: customer,
    });
    this.#expected.set(order.id, { order, inForce: quantity, atMost: quantity });
    return order;
  }

  /** The order is cancelled: nothing may stay in force. */
  cancel(order: Order, shop = this.house.shops[0]): void {
    cancelOrder(shop.state, order.id, { refund: false });
    const expectation = this.#expected.get(order.id);
    if (expectation) expectation.inForce = 0;
  }

  /** What was expected of this order does not hold any more, e.g. it was made before the row began. */
  forget(order: Order): void {
    this.#expected.delete(order.id);
  }

  /** Compares the service's books with what is expected. */
  async judge(): Promise<Verdict> {
    const answer = await fetch(`${this.house.insurance.control_url}/plans`);
    const byOrder = Map.groupBy(
      z.array(contract).parse(await answer.json()),
      (plan) => plan.order_reference_id,
    );
    const verdict = { expected: 0, found: 0, lost: 0, doubled: 0, wrong: this.wrong };
    for (const [orderId, { inForce, atMost }] of this.#expected) {
      const contracts = byOrder.get(orderId) ?? [];
      const active = contracts.filter(({ status }) => status === "active").length;
      verdict.expected += inForce;
      verdict.found += active;
      verdict.lost += Math.max(0, inForce - active);
      verdict.doubled += Math.max(0, contracts.length - atMost, active - inForce);
    }
    return verdict;
  }

  /** Waits until the books are as expected and stay so; gives up after `patience` and says how they are. */
  async settle(patienceMs = 180_000): Promise<Verdict> {
    const until = Date.now() + patienceMs;
    let verdict = await this.judge();
    while (Date.now() < until && !(isGood(verdict) && (await this.#isQuiet()))) {
      await wait(250);
      verdict = await this.judge();
    }
    // What would come too late and double a contract gets its time, too.
    await wait(1_500);
    return this.judge();
  }

  async #isQuiet(): Promise<boolean> {
    const waiting = this.house.shops.some((shop) =>
      shop.webhooks.log.some(({ state }) => state === "waiting"),
    );
    if (waiting) return false;
    const [open] = await this.query<{ count: string }>(
      "SELECT count(*) FROM pgboss.job WHERE state < 'completed' AND name IN ('platform-event', 'order-work')",
    );
    return open === undefined || open.count === "0";
  }

  /** Asks the row's database; nothing comes of it where that is an embedded one. */
  async query<T>(sql: string, values: unknown[] = []): Promise<T[]> {
    if (!this.#database || !("name" in this.#database)) return [];
    const client = new pg.Client(serverUrl(this.house.postgresPort, this.#database.name));
    await client.connect();
    try {
      const { rows } = await client.query(sql, values);
      return rows as T[];
    } finally {
      await client.end();
    }
  }

  /** Ends the row: nothing was given up, and the processes go. */
  async close(): Promise<void> {
    const dead = await this.query<{ name: string; shop: string }>(
      "SELECT source_name AS name, data->>'shop' AS shop FROM pgboss.job WHERE name = 'dead-letter'",
    );
    if (dead.length > 0) this.wrong.push(`${dead.length} jobs were given up`);
    for (const each of this.#processes) await each.end();
    for (const shop of this.house.shops) {
      shop.state.orders.clear();
      shop.webhooks.log.length = 0;
      Object.assign(shop.webhooks.knobs, { duplicates: 0, dropShare: 0, disorder: 0, delayMs: 0 });
    }
    await fetch(`${this.house.insurance.control_url}/reset`, { method: "POST" });
    await fetch(`${this.house.insurance.control_url}/faults`, { method: "DELETE" });
  }
}

export function isGood({ expected, found, lost, doubled, wrong }: Verdict): boolean {
  return found === expected && lost === 0 && doubled === 0 && wrong.length === 0;
}

/** Tells the service to go wrong in these ways. */
export async function breakService(house: House, ...faults: Record<string, unknown>[]): Promise<void> {
  const answer = await fetch(`${house.insurance.control_url}/faults`, {
    method: "POST",
    body: JSON.stringify(faults),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

export async function mendService(house: House): Promise<void> {
  await fetch(`${house.insurance.control_url}/faults`, { method: "DELETE" });
}
