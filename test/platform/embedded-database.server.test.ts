/** The embedded database: one process per folder, also after a process was killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { startCluster } from "#app/platform/embedded-database.server.ts";
import { NOT_DURABLE } from "#test/cluster.ts";
import { eventually } from "#test/eventually.ts";

// Creating the data takes longer than all tests, so they share it.
const parent = await mkdtemp(join(tmpdir(), "parasol-"));
await chmod(parent, 0o711);
const folder = join(parent, "postgres");
afterAll(() => rm(parent, { recursive: true, force: true }));

const SOURCE = `
  const { startCluster } = await import("#app/platform/embedded-database.server.ts");
  try {
    const cluster = await startCluster(JSON.parse(process.argv[1]));
    console.log(cluster.url("postgres"));
    setInterval(() => {}, 1_000);
  } catch (error) {
    console.log(error.message);
  }`;

/** Starts the database in another process. @returns the process, and its URL or its error */
async function startElsewhere(): Promise<{ child: ChildProcess; said: string }> {
  const options = JSON.stringify({ folder, flags: NOT_DURABLE });
  const child = spawn("node", ["--input-type=module-typescript", "-e", SOURCE, options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  for await (const said of createInterface({ input: child.stdout })) return { child, said };
  throw new Error("The process says nothing");
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

const isRefused = (url: string) =>
  query(url, "SELECT 1").then(
    () => false,
    () => true,
  );

test("the embedded database keeps what was written, and each start has the same password", async () => {
  const first = await startCluster({ folder, flags: NOT_DURABLE });
  await query(first.url("postgres"), "CREATE TABLE kept AS SELECT 'Été' AS word");
  await first.stop();
  expect(await isRefused(first.url("postgres"))).toBe(true);
  const second = await startCluster({ folder, flags: NOT_DURABLE });
  onTestFinished(() => second.stop());
  expect(await query(second.url("postgres"), "SELECT upper(word) AS word FROM kept")).toEqual([
    { word: "ÉTÉ" },
  ]);
});

test("the embedded database is closed to other users of the machine", async () => {
  const cluster = await startCluster({ folder, flags: NOT_DURABLE });
  onTestFinished(() => cluster.stop());
  const url = new URL(cluster.url("postgres"));
  expect(await query(url.href, "SHOW listen_addresses")).toEqual([{ listen_addresses: "127.0.0.1" }]);
  expect(url.password).toMatch(/^[0-9a-f]{48}$/);
  url.password = "";
  await expect(query(url.href, "SELECT 1")).rejects.toThrow(/password/);
  for (const name of ["password", "data"]) expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
});

test("a second process on the embedded database's folder is refused with the first's number", async () => {
  const first = await startCluster({ folder, flags: NOT_DURABLE });
  onTestFinished(() => first.stop());
  const { said } = await startElsewhere();
  expect(said).toBe(
    `Parasol cannot start: the embedded database in ${folder} is in use by process ${process.pid}. It serves one process: stop that one, or name a PostgreSQL server in DATABASE_URL.`,
  );
  expect(await query(first.url("postgres"), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("after a process was killed, the next one has the embedded database with everything that was committed", async () => {
  const { child, said: url } = await startElsewhere();
  await query(url, "CREATE TABLE committed AS SELECT 1 AS one");
  child.kill("SIGKILL");
  await once(child, "exit");
  const next = await startCluster({ folder, flags: NOT_DURABLE });
  onTestFinished(() => next.stop());
  expect(await query(next.url("postgres"), "SELECT one FROM committed")).toEqual([{ one: 1 }]);
  expect(await isRefused(url)).toBe(true);
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "the embedded database ends with its process at %s",
  async (signal) => {
    const { child, said: url } = await startElsewhere();
    child.kill(signal);
    await once(child, "exit");
    await eventually(() => isRefused(url), "the server has stopped");
  },
);

test("the server's log holds no customer's data", async () => {
  const cluster = await startCluster({ folder, flags: NOT_DURABLE });
  onTestFinished(() => cluster.stop());
  const url = cluster.url("postgres");
  await query(url, "CREATE TABLE people (name text UNIQUE)");
  const insert = "INSERT INTO people VALUES ('Jeanne Dupont')";
  await query(url, insert);
  await expect(query(url, insert)).rejects.toThrow("duplicate key");
  expect(await readFile(join(folder, "data", "server.log"), "utf8")).not.toContain("Jeanne");
});
