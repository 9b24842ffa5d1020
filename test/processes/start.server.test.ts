import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("a start without the needed environment ends with one message that names every problem, and nothing else", () => {
  const started = spawnSync("node", ["app/processes/worker.ts"], {
    encoding: "utf8",
    env: {
      NODE_ENV: "production",
      PATH: process.env["PATH"],
      SHOPIFY_API_KEY: "key",
      ENCRYPTION_KEYS: "short",
    },
  });
  expect(started.status).toBe(1);
  expect(started.stdout).toBe("");
  expect(
    started.stderr
      .split("\n")
      .filter((line) => line.startsWith("  "))
      .map((line) => line.trim().split(":")[0]),
  ).toEqual([
    "SHOPIFY_API_SECRET",
    "SHOPIFY_APP_URL",
    "ENCRYPTION_KEYS",
    "INSURANCE_BASE_URL_TEST",
    "INSURANCE_BASE_URL_PRODUCTION",
    "DATABASE_URL",
  ]);
  expect(started.stderr).not.toContain("    at ");
});
