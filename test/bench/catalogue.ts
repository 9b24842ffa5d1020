/**
 * The catalogue run against both stand-ins, each in a process of its own, with the rate limit of the Standard plan (100
 * points a second, a bucket of 2,000): a first run, an unchanged one, one with 1% of the prices changed; for 300, 3,000
 * and 30,000 references in 10 categories. Each size in a fresh process (catalogue/measure.ts), so that its memory is
 * its own. The shop's products are read before: that is another run, with its own cost.
 *
 * Then the list of products in a shop that has 100,000. BENCH_REFERENCES names other sizes, separated by commas.
 *
 * The documented minimum counts what cannot be avoided: productSet (10, 0.2 per variant, 1.9 per file, 1 for the id of
 * the product that it made), publishablePublish (10) and publishableUnpublish (10: two channels take new products by
 * themselves) per product, one bulk query (10) for the ids of the variants, one bulk mutation (20) for their price bands,
 * metafieldsSet (10) per 25 catalogues.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { z } from "zod";
import { measured } from "./catalogue/figures.ts";
import type { Measured } from "./catalogue/figures.ts";
import type { Figure } from "./figure.ts";

const SIZES = (process.env["BENCH_REFERENCES"] ?? "300,3000,30000").split(",").map(Number);
const CATEGORIES = 10;

const service = z.object({
  base_url: z.string(),
  control_url: z.string(),
  store_id: z.string(),
  token_test: z.string(),
});
const shop = z.object({
  shop: z.string(),
  storefront: z.string(),
  apiKey: z.string(),
  apiSecret: z.string(),
});

/** Starts one of our scripts and reads the JSON line that it prints once it is ready. */
async function start(script: string, args: string[]) {
  const path = new URL(script, import.meta.url).pathname;
  const child = spawn(process.execPath, [path, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = z.tuple([z.string()]).parse(await once(createInterface({ input: child.stdout }), "line"));
  return { answer: JSON.parse(line) as unknown, stop: () => child.kill() };
}

async function measure(references: number): Promise<Measured> {
  const insurance = await start("../sandbox/insurance/server.ts", ["--port", "0", "--sales", "0"]);
  const platform = await start("../sandbox/shop/main.ts", ["--port", "0"]);
  try {
    const input = JSON.stringify({
      references,
      categories: CATEGORIES,
      service: service.parse(insurance.answer),
      shop: shop.parse(platform.answer),
    });
    const run = await start("./catalogue/measure.ts", [input]);
    return measured.parse(run.answer);
  } finally {
    insurance.stop();
    platform.stop();
  }
}

/** Points that the published formulas ask for at least. */
function minimum(references: number): number {
  const products = CATEGORIES * Math.ceil(references / CATEGORIES / 2_048);
  return products * (10 + 1.9 + 1 + 10 + 10) + references * 0.2 + 10 + 20 + 10 * Math.ceil(CATEGORIES / 25);
}

export async function bench(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of SIZES) {
    const { first, unchanged, changed, startMb, peakMb, bands, bytes, live } = await measure(size);
    const least = minimum(size);
    const of = (name: string) => `${size} references: ${name}`;
    const add = (name: string, value: number, unit: string, goal = "", holds: boolean | null = null) =>
      figures.push({ name: of(name), value, unit, goal, holds });
    const perBand = first.serviceCalls / bands;
    add("calls to the service per band", perBand, "calls", "at most 1.2", perBand <= 1.2);
    add("first run, calls of the Admin API", first.adminCalls, "calls");
    add("first run, points", first.points, "points");
    add("documented minimum", least, "points");
    add("first run, ratio", first.points / least, "", "at most 1.1", first.points / least <= 1.1);
    add("first run, time", first.seconds, "s");
    add("unchanged run, writes", unchanged.writes, "products and catalogues", "0", unchanged.writes === 0);
    add("unchanged run, points", unchanged.points, "points");
    add("unchanged run, time", unchanged.seconds, "s");
    add("1% of the prices changed, products written", changed.writes, "products and catalogues");
    add("1% of the prices changed, points", changed.points, "points");
    const share = changed.points / first.points;
    if (size < 1_000) add("1% of the prices changed, share of a first run", share, "");
    else add("1% of the prices changed, share of a first run", share, "", "at most 0.1", share <= 0.1);
    add("1% of the prices changed, time", changed.seconds, "s");
    add("memory before the first run", startMb, "MB");
    add("memory at most", peakMb, "MB");
    add("compact catalogue, bytes per category", bytes, "bytes", "at most 131072", bytes <= 131_072);
    add("categories too large for a metafield (served live)", live, "categories");
  }
  const lists = await start("./catalogue/product-list.ts", []);
  for (const [name, ms] of Object.entries(z.record(z.string(), z.number()).parse(lists.answer))) {
    figures.push({
      name: `100,000 products: the list's queries, ${name}, median`,
      value: ms,
      unit: "ms",
      goal: "at most 150",
      holds: ms <= 150,
    });
  }
  return figures;
}
