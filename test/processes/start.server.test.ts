import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { version } from "#app/platform/version.ts";
import { deployedAddress } from "#app/shopify/configuration.server.ts";
import { listen } from "#test/sandbox/listen.ts";
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

const production: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_ENV: "production",
  PLAIN_DATABASE_IN_PRODUCTION: "yes",
  PLAIN_HTTP_IN_PRODUCTION: "yes",
  SANDBOX_SHOP_ORIGIN: "",
};
const server = (url: string, changes: Record<string, string>) => {
  const address = new URL(url);
  for (const [part, value] of Object.entries(changes)) Reflect.set(address, part, value);
  return address.href;
};

test.each([
  ["is not there", { port: "1" }, /^.* 127\.0\.0\.1:1\/\S+ \(DATABASE_URL\) refuses the connection: .*$/],
  [
    "has another name",
    { pathname: "/nowhere" },
    / \(DATABASE_URL\) has no database of this name \(3D000\)\.$/,
  ],
  ["has another password", { password: "guess" }, / \(DATABASE_URL\) refuses the password \(28P01\)\.$/],
])("a start whose database %s is one sentence with the variable's name", async (_what, changes, sentence) => {
  const url = server(await newDatabase(), changes);
  for (const command of [["app/processes/worker.ts"], ["app/processes/operate.ts", "migrate"]]) {
    const started = spawnSync("node", command, {
      encoding: "utf8",
      env: { ...production, DATABASE_URL: url },
    });
    expect([started.status, started.stdout]).toEqual([1, ""]);
    expect(started.stderr.trimEnd()).toMatch(sentence);
    expect(started.stderr).not.toMatch(/guess|\n./);
  }
});

test("a worker's first line names its version; a taken port and a missing build are one sentence each", async () => {
  const taken = await listen(createServer());
  onTestFinished(() => taken.close());
  const env = {
    ...production,
    DATABASE_URL: await newDatabase(),
    METRICS_PORT: String(taken.port),
    LOG_LEVEL: "info",
  };
  const worker = spawnSync("node", ["app/processes/worker.ts"], { encoding: "utf8", env });
  expect(JSON.parse(worker.stdout.split("\n")[0] ?? "")).toMatchObject({ level: "info", version });
  expect(worker.stderr).toBe(
    `Parasol cannot start: failed to listen on port ${taken.port} (METRICS_PORT): another process uses it.\n`,
  );
  const web = spawnSync("node", ["app/processes/server.ts"], {
    encoding: "utf8",
    env: { ...env, BUILD_DIR: "/nowhere" },
  });
  expect([web.status, web.stderr]).toEqual([
    1,
    "Parasol cannot start: /nowhere holds no build. Run npm run build first.\n",
  ]);
});

test("commands for operators say what is unknown, and their help needs no database", () => {
  const run = (...args: string[]) =>
    spawnSync("node", ["app/processes/operate.ts", ...args], {
      encoding: "utf8",
      env: { ...process.env, DATABASE_URL: undefined },
    });
  expect(run("migrat").stderr).toMatch(/^Unknown command: migrat\n/);
  expect(run("dead-letters", "--help")).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("retry ID") as string,
  });
});
