/** axe-core in the page: what it finds on our widgets, in short. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { z } from "zod";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const found = z.array(
  z.object({ id: z.string(), impact: z.string().nullable(), nodes: z.array(z.object({ html: z.string() })) }),
);

/** Every violation of WCAG 2.2 AA or of good practice, of any impact, as `rule: element`. */
export async function violations(
  page: Page,
  within = ".parasol, parasol-offer, parasol-cart",
): Promise<string[]> {
  await page.evaluate(source);
  const results: unknown = await page.evaluate(async (selector) => {
    const { axe } = window as unknown as {
      axe: { run: (context: object, options: object) => Promise<{ violations: unknown }> };
    };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    return (await axe.run({ include: [selector] }, { runOnly: { type: "tag", values: tags } })).violations;
  }, within);
  return found
    .parse(results)
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
}
