/** How long the server takes for each page, over HTTP. */
import { setTimeout as wait } from "node:timers/promises";
import { Agent, request } from "undici";
import type { Stage } from "#test/demo/stage.ts";
import { figure, median } from "../figure.ts";
import type { Figure } from "../figure.ts";
import { documentAddress, scriptHeaders } from "./busy-shop.ts";
import type { AdminPage } from "./pages.ts";

const WARM_UP = 3;
const ITERATIONS = 15;
const GOAL_MS = 150;
/** The worker's count begins some seconds after the first view, and takes some. */
const COUNTING_MS = 20_000;

const dispatcher = new Agent({ connections: 1 });

/** Milliseconds until the answer begins: the loaders are done and the page's shell is rendered. */
async function once(address: string, headers: Record<string, string>): Promise<number> {
  const started = performance.now();
  const answer = await request(address, { headers, dispatcher });
  const ms = performance.now() - started;
  const text = await answer.body.text();
  if (answer.statusCode !== 200 && answer.statusCode !== 202) {
    throw new Error(`${address.replace(/\?.*/, "")} answered ${answer.statusCode}: ${text.slice(0, 300)}`);
  }
  return ms;
}

async function medianOf(ask: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let iteration = -WARM_UP; iteration < ITERATIONS; iteration += 1) {
    const ms = await ask();
    if (iteration >= 0) times.push(ms);
  }
  return median(times);
}

/**
 * The very first view of a page. The statistics of orders that came all at once, such as a backfill's, are counted from
 * the order lines until the worker has counted the days (docs/decisions/0012-two-databases.md).
 */
export async function firstView(stage: Stage): Promise<Figure[]> {
  const { "user-agent": browser = "" } = await scriptHeaders(stage);
  const open = async (path: string) => once(await documentAddress(stage, path), { "user-agent": browser });
  // A process that has just started answers its first request slowly, whatever the page.
  await open("/app/settings");
  const first = await open("/app/analytics");
  const others: number[] = [];
  const end = performance.now() + COUNTING_MS;
  while (performance.now() < end) {
    others.push(await open("/app/settings"));
    await wait(200);
  }
  return [
    figure(
      "app.analytics._index: first view of years of orders",
      first,
      "ms, once",
      "at most 1000",
      first <= 1_000,
    ),
    figure("app.settings: slowest while the worker counts these years", Math.max(...others), "ms"),
  ];
}

export async function serverTimes(stage: Stage, pages: AdminPage[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { route, path } of pages) {
    const { "user-agent": browser = "" } = await scriptHeaders(stage);
    const open = async () => once(await documentAddress(stage, path), { "user-agent": browser });
    const go = async () =>
      once(
        `${stage.app.url}${path}.data?_routes=${encodeURIComponent(`routes/${route}`)}`,
        await scriptHeaders(stage),
      );
    figures.push(
      atMost(`${route}: document`, await medianOf(open)),
      atMost(`${route}: navigation`, await medianOf(go)),
    );
  }
  await dispatcher.destroy();
  return figures;
}

function atMost(name: string, value: number): Figure {
  return { name, value, unit: "ms, median", goal: `at most ${GOAL_MS}`, holds: value <= GOAL_MS };
}
