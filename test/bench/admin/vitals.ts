/** Paint, layout shifts and input latency on a slow machine, measured by the browser. */
import type { Browser, Frame } from "playwright-core";
import { z } from "zod";
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import type { Stage } from "#test/demo/stage.ts";
import { visit } from "#test/demo/visitors.ts";
import { median, percentile75 } from "../figure.ts";
import type { Figure } from "../figure.ts";

const SLOWDOWN = 4;
/** Each visit has a new browser profile. Shopify takes the worst interaction of each visit, at the 75th percentile. */
const VISITS = 20;

/** Runs in every frame before the page's own scripts. */
const observer = `
  window.vitals = { lcp: 0, cls: 0, inputs: [] };
  const observe = (type, each, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true, ...options });
  observe("largest-contentful-paint", (entry) => { window.vitals.lcp = entry.startTime; });
  observe("layout-shift", (entry) => { if (!entry.hadRecentInput) window.vitals.cls += entry.value; });
  observe("event", (entry) => { if (entry.interactionId) window.vitals.inputs.push(entry.duration); },
    { durationThreshold: 16 });
`;

const vitals = z.object({ lcp: z.number(), cls: z.number(), inputs: z.array(z.number()) });

const read = async (frame: Frame) => vitals.parse(await frame.evaluate("window.vitals"));

async function measure(browser: Browser, stage: Stage, path: string) {
  const { page } = await visit(browser, stage);
  try {
    await page.addInitScript({ content: observer });
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    await page.goto(`${stage.shop.adminUrl}${path}`);
    const frame = await eventually(
      () => page.frames().find((each) => each.url().startsWith(stage.app.url)) ?? null,
      `the app's frame of ${path}`,
    );
    // The document ends with the last streamed part. Home polls for ever, so the network never becomes idle.
    await frame.waitForLoadState("load");
    await frame.locator("h1").first().waitFor();
    const painted = await eventually(async () => {
      const now = await read(frame);
      return now.lcp > 0 ? now : null;
    }, `the paint of ${path}`);
    // A click into the page, then the keyboard through all controls, with text in text fields.
    await frame.locator("h1").first().click();
    for (let press = 0; press < 5; press += 1) await page.keyboard.press("Tab");
    const field = frame.locator('input[type="text"]:visible, input[type="search"]:visible').first();
    if ((await field.count()) > 0) {
      await field.click();
      await page.keyboard.type("1001");
    }
    const used = await eventually(async () => {
      const now = await read(frame);
      return now.inputs.length > 0 ? now : null;
    }, `an answer to input on ${path}`);
    return { lcp: painted.lcp, cls: used.cls, input: Math.max(...used.inputs) };
  } finally {
    await page.context().close();
  }
}

export async function browserFigures(stage: Stage, paths: string[]): Promise<Figure[]> {
  const browser = await openBrowser();
  const figures: Figure[] = [];
  const add = (name: string, value: number, unit: string, limit: number) =>
    figures.push({ name, value, unit, goal: `under ${limit}`, holds: value < limit });
  try {
    for (const path of paths) {
      const visits = [];
      for (let count = 0; count < VISITS; count += 1) visits.push(await measure(browser, stage, path));
      add(
        `${path}: largest paint, ${SLOWDOWN}× slower`,
        median(visits.map(({ lcp }) => lcp)),
        "ms, median",
        2_500,
      );
      add(`${path}: layout shift`, Math.max(...visits.map(({ cls }) => cls)), "score, worst", 0.1);
      add(
        `${path}: worst answer to input of a visit, ${SLOWDOWN}× slower`,
        percentile75(visits.map(({ input }) => input)),
        `ms, P75 of ${VISITS}`,
        200,
      );
    }
  } finally {
    await browser.close();
  }
  return figures;
}
