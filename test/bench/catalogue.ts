/**
 * The catalogue run against both stand-ins, each in a process of its own, with the rate limit of the Standard plan (100
 * points a second, a bucket of 2,000): a first run, an unchanged one, one with 1% of the prices changed; for 300 and 3,000
 * references in 10 categories. A price band is a product (plan-products.ts): 3,000 references are 1,000 products, and
 * at that plan's rate they take five minutes; 30,000 would take an hour. Each size runs in a fresh process
 * (catalogue/measure.ts), so that its memory is its own. The shop's products are read before: that is another run, with its own cost.
 *
 * Then the list of products in a shop that has 100,000. Its parts are the sizes and products; BENCH_REFERENCES names
 * other sizes, separated by commas.
 *
 * The documented minimum counts what the platform takes for each product at least: productSet (10, and 1 for the id of
 * the product that it made), publishablePublish (10) and publishableUnpublish (10: two channels take new products by
 * themselves); and one bulk query (10) for the ids of the variants, one bulk mutation (20) for their price bands,
 * metafieldsSet (10) per 25 catalogues.
 */
import { z } from "zod";
import { measured } from "./catalogue/figures.ts";
import type { Measured } from "./catalogue/figures.ts";
import { figure, runParts } from "./figure.ts";
import type { Figure, Parts } from "./figure.ts";
import { startScript } from "./script.ts";

const SIZES = (process.env["BENCH_REFERENCES"] ?? "300,3000").split(",").map(Number);
const CATEGORIES = 10;
const TERMS = 3;

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

async function measure(references: number): Promise<Measured> {
  const insurance = await startScript("../sandbox/insurance/server.ts", ["--port", "0", "--sales", "0"]);
  const platform = await startScript("../sandbox/shop/main.ts", []);
  try {
    const input = JSON.stringify({
      references,
      categories: CATEGORIES,
      service: service.parse(insurance.answer),
      shop: shop.parse(platform.answer),
    });
    const run = await startScript("./catalogue/measure.ts", [input]);
    return measured.parse(run.answer);
  } finally {
    insurance.stop();
    platform.stop();
  }
}

/** Minimum of points by the published formulas. */
function minimum(references: number): number {
  const products = CATEGORIES * Math.ceil(references / CATEGORIES / TERMS);
  return products * (10 + 1 + 10 + 10) + 10 + 20 + 10 * Math.ceil(CATEGORIES / 25);
}

export async function bench(): Promise<Figure[]> {
  const parts: Parts = { products: productListFigures };
  for (const size of SIZES) parts[size] = () => runFigures(size);
  return runParts(parts);
}

async function runFigures(size: number): Promise<Figure[]> {
  const { first, unchanged, changed, startMb, peakMb, bands, bytes, live } = await measure(size);
  const least = minimum(size);
  const perBand = first.serviceCalls / bands;
  const ratio = first.points / least;
  const share = changed.points / first.points;
  // Of few references, one price is a large share.
  const isGoal = size >= 1_000;
  return [
    figure("calls to the service per band", perBand, "calls", "at most 1.2", perBand <= 1.2),
    figure("first run, calls of the Admin API", first.adminCalls, "calls"),
    figure("first run, points", first.points, "points"),
    figure("documented minimum", least, "points"),
    figure("first run, ratio", ratio, "", "at most 1.1", ratio <= 1.1),
    figure("first run, time", first.seconds, "s"),
    figure("unchanged run, writes", unchanged.writes, "products and catalogues", "0", unchanged.writes === 0),
    figure("unchanged run, points", unchanged.points, "points"),
    figure("unchanged run, time", unchanged.seconds, "s"),
    figure("1% of the prices changed, products written", changed.writes, "products and catalogues"),
    figure("1% of the prices changed, points", changed.points, "points"),
    figure(
      "1% of the prices changed, share of a first run",
      share,
      "",
      isGoal ? "at most 0.1" : "",
      isGoal ? share <= 0.1 : null,
    ),
    figure("1% of the prices changed, time", changed.seconds, "s"),
    figure("memory before the first run", startMb, "MB"),
    figure("memory at most", peakMb, "MB"),
    figure("compact catalogue, bytes per category", bytes, "bytes", "at most 131072", bytes <= 131_072),
    figure("categories too large for a metafield (served live)", live, "categories"),
  ].map((each) => ({ ...each, name: `${size} references: ${each.name}` }));
}

async function productListFigures(): Promise<Figure[]> {
  const lists = await startScript("./catalogue/product-list.ts", []);
  return Object.entries(z.record(z.string(), z.number()).parse(lists.answer)).map(([name, ms]) =>
    figure(`100,000 products: the list's queries, ${name}, median`, ms, "ms", "at most 150", ms <= 150),
  );
}
