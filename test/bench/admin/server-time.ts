/** The server's time for each page, over HTTP. */
import { Agent, request } from "undici";
import type { Stage } from "#test/demo/stage.ts";
import { type Figure, median } from "../figure.ts";
import { documentAddress, scriptHeaders } from "./busy-shop.ts";
import type { AdminPage } from "./pages.ts";

const WARM_UP = 3;
const ITERATIONS = 15;
const GOAL_MS = 150;

const dispatcher = new Agent({ connections: 1 });

/** Milliseconds until the response begins: the loaders have finished and the page's shell is rendered. */
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
