/**
 * What orders cost as processes, backlogs and tables grow, on PostgreSQL: orders are paid at a given rate, however long
 * the answers take, in shops of which few sell most (Zipf's law). Statements, commits, log (WAL) and processor time are
 * the database's and the processes' own counters, less what the same processes take while nothing happens.
 *
 * Its parts are processes, backlog, shops, tables. BENCH_RATE: orders a second; BENCH_SECONDS: for how long, each time;
 * BENCH_PROCESSES, BENCH_WAITING, BENCH_SHOPS and BENCH_TABLES: the points of the four curves, such as `1,2,4`.
 */
import { figure, runParts } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { grow } from "./orders/grow.ts";
import { costFigures, delayFigures, openLoop } from "./scale/measure.ts";
import { openScaleStage } from "./scale/stage.ts";
import type { ScaleStage } from "./scale/stage.ts";
import { flood } from "./storms/backlog.ts";

const RATE = Number(process.env["BENCH_RATE"] ?? 15);
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 20);
const BURST = 400;
const WARM_UP_S = 5;

const points = (name: string, byDefault: string) => (process.env[name] ?? byDefault).split(",").map(Number);

export async function bench(): Promise<Figure[]> {
  const on = await openScaleStage();
  try {
    const afterReset = (part: (on: ScaleStage) => Promise<Figure[]>) => async () => {
      await on.reset();
      return part(on);
    };
    return await runParts({
      processes: afterReset(processes),
      backlog: afterReset(backlog),
      shops: afterReset(shops),
      tables: afterReset(tables),
    });
  } finally {
    await on.close();
  }
}

/** The same arrivals with more and more workers, and as many orders at once as they come through. */
async function processes(on: ScaleStage): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const workers of points("BENCH_PROCESSES", "1,2,4")) {
    const name = workers === 1 ? "1 worker" : `${workers} workers`;
    const running = await on.start(workers);
    await openLoop(on, running, { rate: RATE, seconds: WARM_UP_S });
    const load = await openLoop(on, running, { rate: RATE, seconds: SECONDS });
    const burst = await openLoop(on, running, { rate: BURST, seconds: 1 });
    await running.end();
    const { rest } = load;
    figures.push(
      ...delayFigures(`${name}, ${RATE} orders/s`, load),
      ...costFigures(name, load, workers),
      figure(
        `${name}: storage per order, tables and indexes`,
        load.cost.tableBytes / load.orders / 1_000,
        "kB",
      ),
      figure(`${name}, ${BURST} orders in a second: processed at`, burst.orders / burst.seconds, "orders/s"),
      figure(`${name} at rest: statements`, rest.statements, "1/s"),
      figure(
        `${name} at rest: processor time of one worker`,
        (rest.workers / workers) * 1_000,
        "ms in a second",
      ),
    );
    await on.reset();
  }
  return figures;
}

/** The same arrivals while another shop's jobs wait (docs/decisions/0005-inbox-and-queue.md). */
async function backlog(on: ScaleStage): Promise<Figure[]> {
  return curve(on, points("BENCH_WAITING", "0,10000,100000"), async (waiting) => {
    await on.reset();
    if (waiting > 0) await flood(on.client, on.idleShop, { jobs: waiting, fetched: 100 });
    return `${waiting.toLocaleString("en")} jobs waiting`;
  });
}

/** The same arrivals while more and more other shops have the app, each with its account and its catalogue. */
async function shops(on: ScaleStage): Promise<Figure[]> {
  const [{ shopDomain }] = on.testApp.shops;
  let installed = on.testApp.shops.length;
  return curve(on, points("BENCH_SHOPS", "21,1000,10000"), async (count) => {
    if (count > installed) await on.install(shopDomain, installed + 1, count);
    installed = Math.max(installed, count);
    return `${installed.toLocaleString("en")} shops`;
  });
}

/** The same arrivals in a shop that has sold for long. */
async function tables(on: ScaleStage): Promise<Figure[]> {
  const [{ shopDomain }] = on.testApp.shops;
  let past = 0;
  return curve(on, points("BENCH_TABLES", "10000,100000,1000000"), async (orders) => {
    await grow(on.client, shopDomain, past + 1, orders - past);
    past = orders;
    return `${orders.toLocaleString("en")} orders in the tables`;
  });
}

async function curve(
  on: ScaleStage,
  values: number[],
  prepare: (value: number) => Promise<string>,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const value of values) {
    const name = await prepare(value);
    const running = await on.start(1);
    await openLoop(on, running, { rate: RATE, seconds: WARM_UP_S });
    const load = await openLoop(on, running, { rate: RATE, seconds: SECONDS });
    await running.end();
    figures.push(...delayFigures(name, load), ...costFigures(name, load, 1).slice(0, -1));
  }
  return figures;
}
