/**
 * Known vulnerabilities of what runs in production (`npm run audit`, part of `npm run check`): high and critical ones
 * fail. A registry that gives no advisories, or none that can be reached, is said and does not fail: the check must
 * run offline.
 */
import { spawnSync } from "node:child_process";
import { z } from "zod";

const report = z.object({
  metadata: z.object({
    vulnerabilities: z.object({ high: z.int(), critical: z.int(), moderate: z.int(), low: z.int() }),
  }),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const audit = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8" });
const parsed = report.safeParse(parseJson(audit.stdout));
if (!parsed.success) {
  process.stdout.write("audit: SKIPPED, the registry gives no advisories here\n");
} else {
  const { high, critical, moderate, low } = parsed.data.metadata.vulnerabilities;
  process.stdout.write(`audit: ${critical} critical, ${high} high, ${moderate} moderate, ${low} low\n`);
  if (critical + high > 0) {
    process.stdout.write("npm audit --omit=dev lists them\n");
    process.exitCode = 1;
  }
}
