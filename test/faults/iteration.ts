/** One run of a row: its database, its processes, the sales in the meantime, and the verdict after recovery. */
import type { Verdict } from "./ledger.ts";
import { serverUrl } from "#test/cluster.ts";
import { bookOf, faultsKept, orderJobs, readServer } from "./kept.ts";
import type { Read } from "./kept.ts";
import { openPgBouncer } from "#test/pgbouncer.ts";
import type { PgBouncer } from "#test/pgbouncer.ts";
import { startProcess } from "./processes.ts";
import type { AppProcess } from "./processes.ts";
import type { Random } from "#test/random.ts";
import { Sales } from "./sales.ts";
import type { TestApp } from "./stage.ts";
import { httpAnswers, openProxy, postgresAnswers } from "./proxy.ts";
import type { Counter, TcpProxy } from "./proxy.ts";
import { becomesTrue } from "#test/eventually.ts";

export interface IterationOptions {
  random: Random;
  orders: number;
  /** shorter waiting times, if they prove nothing */
  short: boolean;
  /** the database is reached through PgBouncer */
  pooled?: boolean;
}

export class Iteration {
  readonly testApp: TestApp;
  readonly random: Random;
  readonly orders: number;
  readonly short: boolean;
  /** further failures besides the contracts, as text */
  readonly wrong: string[] = [];
  /** the row's measurements, as text */
  readonly said: string[] = [];
  readonly sales: Sales;
  readonly #processes: AppProcess[] = [];
  readonly #proxies: TcpProxy[] = [];
  /** its name on the server */
  #database: string | null = null;
  readonly #pooled: boolean;
  /** by the port of its server */
  readonly #pgbouncers = new Map<number, Promise<PgBouncer>>();

  constructor(testApp: TestApp, { random, orders, short, pooled = false }: IterationOptions) {
    this.testApp = testApp;
    this.random = random;
    this.orders = orders;
    this.short = short;
    this.sales = new Sales(testApp, random);
    this.#pooled = pooled;
  }

  /** The database's address in the app's environment; `port` reaches a server through a proxy. */
  async database(port = this.testApp.postgresPort): Promise<Record<string, string>> {
    this.#database ??= await this.testApp.newServerDatabase();
    const direct = serverUrl(port, this.#database);
    if (!this.#pooled) return { DATABASE_URL: direct };
    const opening = this.#pgbouncers.get(port) ?? openPgBouncer(port);
    this.#pgbouncers.set(port, opening);
    const pgbouncer = await opening;
    return {
      DATABASE_URL: serverUrl(pgbouncer.port, this.#database),
      DATABASE_DIRECT_URL: direct,
    };
  }

  /** A proxied connection to the database server, to observe and break it. */
  async proxyDatabase(): Promise<TcpProxy> {
    return this.#proxy(this.testApp.postgresPort, postgresAnswers);
  }

  /** A proxied connection to the insurer, to observe and cut it. */
  async proxyInsurer(): Promise<TcpProxy> {
    return this.#proxy(Number(new URL(this.testApp.insurance.base_url).port), httpAnswers);
  }

  async #proxy(port: number, counter: () => Counter): Promise<TcpProxy> {
    const proxy = await openProxy({ port }, counter);
    this.#proxies.push(proxy);
    return proxy;
  }

  /** The app: a web process with workers beside it. */
  async open(
    workers = 2,
    env: Record<string, string> = {},
  ): Promise<{ web: AppProcess; workers: AppProcess[] }> {
    const web = await this.web(env);
    return { web, workers: await Promise.all(Array.from({ length: workers }, () => this.worker(env))) };
  }

  async web(
    env: Record<string, string> = {},
    preload: string[] = [],
    options: { cwd?: string } = {},
  ): Promise<AppProcess> {
    return this.#start("app/processes/server.ts", { WORKER: "separate", ...env }, preload, options);
  }

  async worker(
    env: Record<string, string> = {},
    preload: string[] = [],
    options: { cwd?: string } = {},
  ): Promise<AppProcess> {
    return this.#start("app/processes/worker.ts", env, preload, options);
  }

  async #start(
    entry: "app/processes/server.ts" | "app/processes/worker.ts",
    env: Record<string, string>,
    preload: string[],
    options: { cwd?: string },
  ) {
    const started = await startProcess({
      entry,
      env: {
        ...this.testApp.env,
        ...(this.short ? { INSURANCE_CONSISTENCY_SECONDS: "3" } : {}),
        ...(await this.database()),
        ...env,
      },
      logFile: this.testApp.logFile,
      preload,
      ...options,
    });
    this.#processes.push(started);
    return started;
  }

  /** Number of requests to the insurer with a fault since the iteration began. */
  faultsMet(kind?: string): number {
    const { log } = this.testApp.insurance.traffic;
    return log.filter(({ fault }) => fault !== null && (kind === undefined || fault === kind)).length;
  }

  /** Waits until each delivery after this position of the log was tried. */
  attempted(from: number): Promise<boolean> {
    const { log } = this.testApp.shops[0].webhooks;
    return becomesTrue(() => log.slice(from).every(({ attempts }) => attempts.length > 0));
  }

  /** Queries the row's database. */
  async query<T>(work: (read: Read) => Promise<T>): Promise<T> {
    if (this.#database === null) throw new Error("The row has no database yet");
    return readServer(serverUrl(this.testApp.postgresPort, this.#database), work);
  }

  /** Sends the hourly job as the queue's schedule does; a killed worker loses it to the next one. */
  async startHourlyJob(): Promise<void> {
    await this.query((read) =>
      read(`INSERT INTO pgboss.job (name, data, policy, retry_limit, retry_delay, expire_seconds, heartbeat_seconds)
        SELECT name, '{}', policy, retry_limit, 1, expire_seconds, heartbeat_seconds FROM pgboss.queue
        WHERE name = 'hourly' ON CONFLICT DO NOTHING`),
    );
  }

  async isHourlyJobOver(): Promise<boolean> {
    const open = await this.query((read) =>
      read(`SELECT 1 FROM pgboss.job WHERE name = 'hourly' AND state < 'completed' LIMIT 1`),
    );
    return open.length === 0;
  }

  /** Gives up after `patienceMs`, and says so. */
  async runHourlyJob(patienceMs: number): Promise<void> {
    await this.startHourlyJob();
    if (!(await becomesTrue(() => this.isHourlyJobOver(), patienceMs, 500)))
      this.wrong.push(`the hourly job not over after ${Math.round(patienceMs / 1_000)} s`);
  }

  /** Whether nothing is on its way: no delivery, no job. */
  async isQuiet(): Promise<boolean> {
    if (this.sales.deliveries().some(({ state }) => state === "waiting")) return false;
    const rows = await this.query((read) =>
      read(`SELECT 1 FROM pgboss.job WHERE state < 'completed' AND name IN ${orderJobs} LIMIT 1`),
    );
    return rows.length === 0;
  }

  /**
   * Waits until nothing is on its way, then runs the hourly job, which finds what Shopify gave up delivering.
   * Gives up after `patienceMs`, and says so.
   */
  async settle(patienceMs: number): Promise<void> {
    await this.#quiet(patienceMs);
    const givenUp = this.sales.deliveries().some(({ state }) => state === "failed" || state === "dropped");
    if (!givenUp) return;
    await this.runHourlyJob(patienceMs);
    await this.#quiet(patienceMs);
  }

  async #quiet(patienceMs: number): Promise<void> {
    if (!(await becomesTrue(() => this.isQuiet(), patienceMs, 500)))
      this.wrong.push(`not over after ${Math.round(patienceMs / 1_000)} s`);
  }

  /** Ends the processes and returns the verdict. It is the last step. */
  async end(): Promise<Verdict> {
    await Promise.all(this.#processes.map((each) => each.end("SIGTERM", 15_000)));
    for (const pgbouncer of this.#pgbouncers.values()) await (await pgbouncer).close();
    await Promise.all(this.#proxies.map((proxy) => proxy.close()));
    const verdict = this.sales.judge();
    const promised = this.sales.promised();
    const kept = async (read: Read) => {
      const wrong = await faultsKept(read, promised);
      for (const { id } of verdict.surplus.slice(0, 3)) wrong.push(...(await bookOf(read, id)));
      return wrong;
    };
    if (this.#database !== null) this.wrong.push(...(await this.query(kept)));
    this.wrong.push(...this.sales.whereLost(verdict.incomplete));
    return verdict;
  }
}
