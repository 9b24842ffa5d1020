/**
 * Lighthouse's performance score of the product page with and without the app's blocks. The benchmark downloads a
 * pinned Lighthouse from npm when it runs: as a dependency it would add 200 packages.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";
import { openBrowser } from "#test/browser.ts";
import { steadyPort } from "#test/cluster.ts";
import type { TestShop } from "#test/storefront/shop.ts";
import { median } from "../figure.ts";

const VERSION = "12.8.2";
const RUNS = 5;

const run = promisify(execFile);
const lighthouse = async (args: string[]) => {
  const command = ["exec", "--yes", `--package=lighthouse@${VERSION}`, "--", "lighthouse", ...args];
  return (await run("npm", command, { maxBuffer: 64 * 1_024 * 1_024 })).stdout;
};

const report = z.object({
  categories: z.object({ performance: z.object({ score: z.number().min(0).max(1) }) }),
});

/** Medians of five runs, 0 to 100; a text if Lighthouse is not available, for example without a network. */
export async function pagePerformance(shop: TestShop): Promise<{ with: number; without: number } | string> {
  try {
    await lighthouse(["--version"]);
  } catch (error) {
    const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n").slice(-1);
    return `lighthouse@${VERSION} could not be fetched from npm: ${line}`;
  }
  const port = await steadyPort();
  const browser = await openBrowser([`--remote-debugging-port=${port}`]);
  const { theme } = shop.state;
  const { blocks, embeds } = theme;
  const measure = async () => {
    const answer = await lighthouse([
      `${shop.origin}/products/lumo-x2`,
      `--port=${port}`,
      "--only-categories=performance",
      "--output=json",
      "--output-path=stdout",
      "--quiet",
      "--no-enable-error-reporting",
    ]);
    return Math.round(report.parse(JSON.parse(answer)).categories.performance.score * 100);
  };
  const scores = { with: [] as number[], without: [] as number[] };
  try {
    // Alternating, so that other load on the machine affects both alike.
    for (let iteration = 0; iteration < RUNS; iteration++) {
      Object.assign(theme, { blocks: {}, embeds: {} });
      scores.without.push(await measure());
      Object.assign(theme, { blocks, embeds });
      scores.with.push(await measure());
    }
  } finally {
    Object.assign(theme, { blocks, embeds });
    await browser.close();
  }
  return { with: median(scores.with), without: median(scores.without) };
}
