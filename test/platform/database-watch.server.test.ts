/** What an operator reads when the database is lost. */
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { watchDatabase } from "#app/platform/database-watch.server.ts";
import { createLog } from "#app/platform/log.server.ts";
import { eventually } from "#test/eventually.ts";
import { openProxy, postgresAnswers } from "#test/faults/proxy.ts";

const url = process.env["DATABASE_URL"] ?? "";
const logLine = z.object({ level: z.string(), msg: z.string() });

test("a lost database is one line, then one a repeat, and one when it is back; failed statements are no lines", async () => {
  const { hostname, port } = new URL(url);
  const proxy = await openProxy({ host: hostname, port: Number(port) }, postgresAnswers);
  onTestFinished(() => proxy.close());
  const lines: z.infer<typeof logLine>[] = [];
  const log = createLog("info", { write: (line) => void lines.push(logLine.parse(JSON.parse(line))) });
  const connectionString = url.replace(`:${port}/`, `:${proxy.port}/`);
  const watch = watchDatabase(
    { variable: "DATABASE_URL", connectionString, everyMs: 20, repeatMs: 500 },
    log,
  );
  onTestFinished(() => watch.stop());
  const said = (text: string) => lines.filter(({ msg }) => msg.includes(text)).length;

  expect(watch.problem()).toBeNull();
  proxy.cut();
  await eventually(() => watch.problem() !== null);
  expect(watch.problem()).toMatch(/^the database \(DATABASE_URL\) /);
  log.error({ err: new Error("Connection terminated unexpectedly") }, "Failed to fetch jobs");
  log.error({ err: Object.assign(new Error("x"), { code: "P1001" }) }, "Failed to answer a request");
  log.error({ err: new Error("the insurer's answer") }, "Failed to ask");
  await eventually(() => said("It has been away for") > 0);
  expect(said("Failed to reach the database (DATABASE_URL, ")).toBe(lines.length - 1);
  expect(said("Failed to ask")).toBe(1);

  proxy.mend();
  await eventually(() => watch.problem() === null);
  expect(lines.at(-1)).toMatchObject({
    level: "info",
    msg: expect.stringMatching(/^The database is back after \d+ s$/) as string,
  });
});

test("a full disk is not ready and one line, though the database still answers, until it writes again", async () => {
  const lines: z.infer<typeof logLine>[] = [];
  const log = createLog("info", { write: (line) => void lines.push(logLine.parse(JSON.parse(line))) });
  const watch = watchDatabase(
    { variable: "DATABASE_URL", connectionString: url, everyMs: 20, fullForMs: 300 },
    log,
  );
  onTestFinished(() => watch.stop());
  const full = Object.assign(new Error("could not extend file"), { code: "53100" });
  log.error({ err: full }, "The job queue reported an error");
  log.error({ err: new Error("Failed to store", { cause: full }) }, "Failed to store a webhook");
  await eventually(() => watch.problem() !== null);
  expect(watch.problem()).toBe("the database (DATABASE_URL) has no space left on its disk (53100)");
  await eventually(() => watch.problem() === null);
  expect(lines.map(({ msg }) => msg)).toEqual([
    expect.stringMatching(/^Failed to reach the database .* it has no space left on its disk \(53100\)\./),
    expect.stringMatching(/^The database is back after \d+ s$/),
  ]);
});
