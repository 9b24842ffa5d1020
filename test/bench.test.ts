/** `npm run bench` ends with figures, or with the error of the part that failed. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { connect, openCluster, serverUrl } from "./cluster.ts";

async function runBench(name: string, env: Record<string, string>) {
  const command = promisify(execFile)(process.execPath, ["test/bench/run.ts", name], {
    env: { PATH: process.env["PATH"], NODE_ENV: "test", ...env },
  });
  return command.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error,
  );
}

test("a part that fails ends the benchmark with its error, a row in the table and a non-zero exit code", async () => {
  expect(await runBench("restore", { POSTGRES_BIN: "/nowhere" })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Part allOfTheLog failed: .*\/nowhere\/initdb/) as string,
    stdout: expect.stringContaining("part allOfTheLog") as string,
  });
});

test("a part that the benchmark does not have is refused with the names of its parts", async () => {
  expect(await runBench("restore", { BENCH_PARTS: "nothing" })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'BENCH_PARTS names "nothing"; this benchmark\'s parts are: allOfTheLog, partOfTheLog',
    ) as string,
  });
});

test("a server that stops ends its clients' queries, not their process", async () => {
  const cluster = await openCluster();
  const client = await connect(serverUrl(cluster.port, "postgres"));
  await cluster.close();
  await expect(client.query("SELECT 1")).rejects.toThrow();
});
