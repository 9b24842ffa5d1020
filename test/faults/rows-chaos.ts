/** All faults at once, from a seed. */
import { setTimeout as wait } from "node:timers/promises";
import { eventually } from "#test/eventually.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { operations, outcomes } from "./break.ts";
import { DidNotStartError } from "./processes.ts";
import type { AppProcess } from "./processes.ts";
import type { Iteration } from "./iteration.ts";
import type { Row } from "./row.ts";
import type { TcpProxy } from "./proxy.ts";

/** Pending deliveries above this number pause the shop's sales: a flood is a row of its own. */
const BACKLOG = 1_500;
/** A stopped database returns within seconds; a start alone takes up to a minute and a half. */
const UP_AGAIN_WITHIN_MS = 600_000;
/** Limit of orders a second. */
const PACE_MS = 10;

export const chaosRows: Row[] = [
  {
    row: 10,
    name: "everything above going on at random",
    full: 10_000,
    short: 40,
    async run(iteration) {
      const chaos = new Chaos(iteration, await iteration.proxyDatabase());
      await chaos.begin();
      await chaos.sell();
      await chaos.end();
    },
  },
];

class Chaos {
  readonly #iteration: Iteration;
  readonly #proxy: TcpProxy;
  /** Orders that are not cancelled yet. */
  readonly #open: Order[] = [];
  /** Pending work beside the sales, which must end. */
  readonly #beside: Promise<unknown>[] = [];
  #env: Record<string, string> = {};
  #web: AppProcess | null = null;
  #workers: AppProcess[] = [];

  constructor(iteration: Iteration, proxy: TcpProxy) {
    this.#iteration = iteration;
    this.#proxy = proxy;
  }

  async begin(): Promise<void> {
    this.#env = await this.#iteration.database(this.#proxy.port);
    this.#web = await this.#newWeb();
    this.#workers = await Promise.all([this.#iteration.worker(this.#env), this.#iteration.worker(this.#env)]);
    // The reconciliation will find something.
    this.#iteration.testApp.shops[0].webhooks.behaviour.dropShare = 0.05;
  }

  #newWeb(): Promise<AppProcess> {
    return this.#iteration.web(this.#env);
  }

  async sell(): Promise<void> {
    const { orders, random, short, testApp } = this.#iteration;
    // Two merchants, whose orders have the same numbers.
    const [first, second = first] = testApp.shops;
    const strikeEvery = short ? Math.ceil(orders / 4) : Math.max(40, Math.ceil(orders / 50));
    let due = Date.now();
    for (let each = 0; each < orders; each++) {
      const order = this.#iteration.sales.buy(random.between(1, 3), random.next() < 0.8 ? first : second);
      this.#open.push(order);
      this.#mishap(random.next());
      if (each % strikeEvery === strikeEvery - 1) await this.#strike();
      due = Math.max(due + PACE_MS, Date.now() - 100);
      if (due > Date.now()) await wait(due - Date.now());
      if (each % 25 === 0) await this.#breathe();
    }
  }

  /** Small faults, for one order in three. */
  #mishap(chance: number): void {
    const { random, testApp } = this.#iteration;
    const { behaviour } = testApp.shops[0].webhooks;
    const order = this.#open[random.between(0, this.#open.length - 1)];
    if (!order) return;
    if (chance < 0.15) {
      this.#open.splice(this.#open.indexOf(order), 1);
      this.#iteration.sales.cancel(order);
    } else if (chance < 0.27) {
      testApp.insurance.faults.add({ operation: random.pick(operations), ...random.pick(outcomes) });
    } else if (chance < 0.28 && !this.#iteration.short) {
      testApp.insurance.faults.add({
        operation: "plans.create",
        kind: "latency",
        ms: random.between(9_000, 15_000),
      });
    } else if (chance < 0.3) {
      behaviour.duplicates = random.pick([0, 0, 0, 1, 5, 49]);
    } else if (chance < 0.32) {
      behaviour.disorder = random.between(0, 6);
      if (behaviour.disorder === 0) testApp.shops[0].webhooks.release();
    } else if (chance < 0.34) {
      this.#try(() => this.#iteration.sales.deliverAgain(order));
    } else if (chance < 0.345) {
      this.#try(() => this.#iteration.sales.poison());
    }
  }

  /**
   * Large faults: a process dies, stops or drains; the database or the insurer is unreachable; a reconciliation starts.
   */
  async #strike(): Promise<void> {
    const { random, testApp, short } = this.#iteration;
    const strikes = [
      ...(["web", "web", "insurer", "reconciliation"] as const),
      ...(["worker", "worker", "worker", "stop", "database"] as const),
    ];
    switch (random.pick(strikes)) {
      case "web":
        await this.#web?.end(random.pick(["SIGKILL", "SIGKILL", "SIGTERM"]));
        return this.#keepUp();
      case "worker": {
        const index = random.between(0, this.#workers.length - 1);
        await this.#workers[index]?.end(random.pick(["SIGKILL", "SIGKILL", "SIGTERM"]));
        this.#workers[index] = await this.#start(() => this.#iteration.worker(this.#env));
        return;
      }
      case "stop": {
        const child = random.pick(this.#workers).child;
        child.kill("SIGSTOP");
        this.#beside.push(wait(short ? 2_000 : 25_000).then(() => child.kill("SIGCONT")));
        return;
      }
      case "database":
        this.#proxy.cut();
        this.#beside.push(wait(short ? 500 : random.between(1_000, 8_000)).then(() => this.#proxy.mend()));
        return;
      case "insurer":
        testApp.insurance.faults.add({ operation: "*", kind: "status", status: 503, times: null });
        this.#beside.push(
          wait(short ? 500 : random.between(1_000, 8_000)).then(() => testApp.insurance.faults.clear()),
        );
        return;
      case "reconciliation":
        this.#try(() => this.#iteration.startHourlyJob());
    }
  }

  /** Restarts the web process if it has exited. */
  async #keepUp(): Promise<void> {
    if (this.#web?.gone()) this.#web = await this.#start(() => this.#newWeb());
  }

  /** As a supervisor does: a process that starts without a database is started again. */
  async #start(start: () => Promise<AppProcess>): Promise<AppProcess> {
    const attempt = async () => {
      try {
        return await start();
      } catch (error) {
        if (!(error instanceof DidNotStartError)) throw error;
        return null;
      }
    };
    return eventually(attempt, "a process that starts", { withinMs: UP_AGAIN_WITHIN_MS, everyMs: 500 });
  }

  /** A request to the app, which may be down. */
  #try(attempt: () => Promise<unknown>): void {
    this.#beside.push(attempt().catch(() => null));
  }

  /** Waits while too many deliveries are pending. */
  async #breathe(): Promise<void> {
    await this.#keepUp();
    const { log } = this.#iteration.testApp.shops[0].webhooks;
    const isShort = () => log.filter(({ state }) => state === "waiting").length <= BACKLOG;
    await eventually(isShort, "a shorter backlog", { withinMs: 600_000, everyMs: 100 });
  }

  async end(): Promise<void> {
    const { testApp } = this.#iteration;
    const { webhooks } = testApp.shops[0];
    Object.assign(webhooks.behaviour, { duplicates: 0, disorder: 0, dropShare: 0 });
    webhooks.release();
    await Promise.all(this.#beside);
    await this.#keepUp();
    await Promise.all(testApp.shops.map((shop) => shop.webhooks.settled()));
    testApp.insurance.faults.clear();
  }
}
