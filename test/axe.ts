/** axe-core in a page or a frame of it. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Frame, Page } from "playwright-core";
import { z } from "zod";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const found = z.array(
  z.object({ id: z.string(), impact: z.string().nullable(), nodes: z.array(z.object({ html: z.string() })) }),
);

/** One element that breaks a rule of WCAG 2.2 AA or of good practice. */
export interface Finding {
  rule: string;
  /** `minor`, `moderate`, `serious`, `critical`; null: axe does not say */
  impact: string | null;
  /** the element's beginning */
  element: string;
}

export async function audit(page: Page | Frame, within: string): Promise<Finding[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const results: unknown = await page.evaluate(async (selector) => {
    const { axe } = window as unknown as {
      axe: { run: (context: object, options: object) => Promise<{ violations: unknown }> };
    };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const options = { runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] };
    return (await axe.run({ include: [selector] }, options)).violations;
  }, within);
  return found
    .parse(results)
    .flatMap(({ id, impact, nodes }) =>
      nodes.map(({ html }) => ({ rule: id, impact, element: html.slice(0, 160) })),
    );
}
