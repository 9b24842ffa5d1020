import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { jobQueue } from "#app/jobs/queue.server.ts";

test("the library's schema is the one that our statements on its tables were written against", async () => {
  // For another version: read the changes to its tables job, job_common and queue, correct the statements, run the
  // benches.
  expect(await (await jobQueue()).schemaVersion()).toBe(43);
});

test("one file alone names the library's tables", async () => {
  const named: string[] = [];
  for await (const file of glob("app/**/*.ts"))
    if (/pgboss\./.test(await readFile(file, "utf8"))) named.push(file);
  expect(named.sort()).toEqual(["app/jobs/queue-tables.server.ts"]);
});
