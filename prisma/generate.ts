/**
 * Generates the Prisma client. Prisma 7 runs without a native engine, but its CLI insists on a schema engine before
 * it does anything, and downloads one. `generate` never starts it, so any existing file satisfies the check: that
 * keeps `npm ci` working where only the npm registry can be reached.
 */
import { spawnSync } from "node:child_process";

const done = spawnSync("prisma", ["generate", "--no-hints"], {
  env: { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, ...process.env },
  stdio: ["ignore", "pipe", "pipe"],
  encoding: "utf8",
});
if (done.status !== 0) {
  console.error(done.stdout, done.stderr, done.error ?? "");
  process.exit(1);
}
