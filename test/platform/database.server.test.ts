/** The app's use of a PostgreSQL server: the pools, the timeouts, the direct address. */
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#app/platform/database.server.ts";
import { openProxy, postgresAnswers } from "#test/faults/proxy.ts";

const url = process.env["DATABASE_URL"] ?? "";
const options = { pool: 2, queuePool: 3, statementTimeoutSeconds: 7, lockTimeoutSeconds: 5, migrates: false };

async function open(directUrl: string | undefined) {
  const opened = await openDatabase(url, { ...options, directUrl });
  onTestFinished(() => opened.close());
  const { prisma, queue } = opened;
  const settings = await prisma.$queryRaw`
    SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`;
  return { prisma, queue, settings };
}

test("statements and waits for locks end after the times of the environment, and the pools have its sizes", async () => {
  const { prisma, queue, settings } = await open(undefined);
  expect(settings).toEqual([{ statement: "7s", lock: "5s" }]);
  expect(queue).toEqual({ connectionString: url, max: 3, stream: expect.any(Function) as unknown });
  const connections = await Promise.all(
    Array.from(
      { length: 10 },
      () => prisma.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid, pg_sleep(0)::text`,
    ),
  );
  expect(new Set(connections.map(([row]) => row?.pid)).size).toBeLessThanOrEqual(2);
});

test("through PgBouncer the queue has the direct address, and connections set nothing that it refuses", async () => {
  const direct = `${url}?application_name=direct`;
  const { queue, settings } = await open(direct);
  expect(settings).toEqual([{ statement: "0", lock: "0" }]);
  expect(queue).toEqual({ connectionString: direct, max: 3, stream: expect.any(Function) as unknown });
});

test("a server that says nothing any more keeps no statement waiting, and a new one is used", async () => {
  const { hostname, port } = new URL(url);
  const proxy = await openProxy({ host: hostname, port: Number(port) }, postgresAnswers);
  onTestFinished(() => proxy.close());
  const through = url.replace(`:${port}/`, `:${proxy.port}/`);
  const opened = await openDatabase(through, {
    ...options,
    directUrl: undefined,
    statementTimeoutSeconds: 1,
  });
  onTestFinished(() => opened.close());
  const ask = () => opened.prisma.$queryRaw`SELECT 1 AS one`;
  await expect(ask()).resolves.toEqual([{ one: 1 }]);
  proxy.vanish();
  await expect(ask()).rejects.toThrow("The database timed out: nothing received for 6 s");
  proxy.mend();
  await expect(ask()).resolves.toEqual([{ one: 1 }]);
});
