/**
 * Generates the Prisma client. Prisma 7 needs no native engine, but its CLI still checks for a schema engine and
 * downloads one. `generate` never starts it, so any existing file passes the check. So `npm ci` works with access to
 * the npm registry alone.
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
