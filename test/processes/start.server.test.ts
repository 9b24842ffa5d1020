import { spawnSync } from "node:child_process";
import pg from "pg";
import { expect, test } from "vitest";
import { deployedAddress } from "#app/shopify/configuration.server.ts";
import { newDatabase } from "#test/migrated.ts";

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

test("in production a process refuses a database without migrations, which the migrate command applies", async () => {
  const url = await newDatabase();
  const client = new pg.Client(url);
  await client.connect();
  await client.query("DROP SCHEMA public CASCADE; DROP SCHEMA pgboss CASCADE; CREATE SCHEMA public");
  const plain = { PLAIN_DATABASE_IN_PRODUCTION: "yes", PLAIN_HTTP_IN_PRODUCTION: "yes", LOG_LEVEL: "warn" };
  const run = (...command: string[]) =>
    spawnSync("node", command, {
      encoding: "utf8",
      env: { ...process.env, NODE_ENV: "production", DATABASE_URL: url, ...plain },
    });
  const refused = run("app/processes/worker.ts");
  expect(refused.status).toBe(1);
  expect(refused.stdout).toBe("");
  expect(refused.stderr).toMatch(
    /^Parasol cannot start: the database lacks the migrations of this version \(.*_init\)\. Run npm run operate -- migrate first.*\n$/,
  );
  const tables = `SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname IN ('public', 'pgboss')`;
  expect((await client.query(tables)).rows).toEqual([{ tables: 0 }]);
  const migrated = run("app/processes/operate.ts", "migrate");
  expect(migrated.stderr).toBe("");
  expect(migrated.status).toBe(0);
  expect((await client.query("SELECT name FROM pgboss.queue WHERE name = 'webhook'")).rowCount).toBe(1);
  await client.end();
});

test("in production the start warns where shopify.app.toml would send shops to another address", async () => {
  const start = async (address: string) =>
    spawnSync(
      "node",
      ["--input-type=module", "-e", `await import("./app/processes/start.server.ts"); process.exit()`],
      {
        encoding: "utf8",
        env: {
          ...process.env,
          NODE_ENV: "production",
          WORKER: "separate",
          LOG_LEVEL: "warn",
          SANDBOX_SHOP_ORIGIN: "",
          PLAIN_DATABASE_IN_PRODUCTION: "yes",
          PLAIN_HTTP_IN_PRODUCTION: "yes",
          DATABASE_URL: await newDatabase(),
          SHOPIFY_APP_URL: address,
        },
      },
    );
  const other = await start("https://parasol.test");
  expect(other.stdout).toContain(
    `Address mismatch: application_url in shopify.app.toml is ${deployedAddress()}, SHOPIFY_APP_URL is https://parasol.test.`,
  );
  const own = await start(`${deployedAddress()}/`);
  expect([own.status, own.stdout]).toEqual([0, ""]);
});
