/** The running app loses its database for a while: readiness, and what its log says. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { openStage } from "#test/demo/stage.ts";
import { eventually } from "#test/eventually.ts";
import { openProxy, postgresAnswers, type TcpProxy } from "#test/faults/proxy.ts";

const line = z.looseObject({ level: z.string(), msg: z.string() });

test("it is not ready and says why, logs one line, and is ready again by itself", async () => {
  let proxy: TcpProxy | undefined;
  const stage = await openStage({
    async databaseUrl(url) {
      const { hostname, port } = new URL(url);
      proxy = await openProxy({ host: hostname, port: Number(port) }, postgresAnswers);
      return url.replace(`:${port}/`, `:${proxy.port}/`);
    },
  });
  try {
    const readiness = async () => {
      const answer = await fetch(`${stage.app.url}/readyz`);
      return { status: answer.status, text: await answer.text() };
    };
    expect(await readiness()).toEqual({ status: 200, text: "ready\n" });
    proxy?.cut();
    const refused = await eventually(async () => {
      const answer = await readiness();
      return answer.status === 503 && answer;
    }, "a process that is not ready");
    expect(refused.text).toMatch(/^not ready: the database \(DATABASE_URL\) /);
    const isPageGone = await fetch(`${stage.app.url}/withdrawals/${stage.shop.shopDomain}`);
    expect(isPageGone.status).toBeGreaterThanOrEqual(500);
    proxy?.mend();
    await eventually(async () => (await readiness()).status === 200, "a process that is ready again");
    const lines = (await readFile(stage.app.logFile, "utf8"))
      .split("\n")
      .filter((each) => each.startsWith("{"))
      .map((each) => line.parse(JSON.parse(each)));
    const isTrouble = ({ level }: z.infer<typeof line>) => level === "error" || level === "warn";
    // The queue may have been fetching jobs at the moment of the loss.
    const isFetching = ({ msg }: z.infer<typeof line>) => msg.startsWith("Failed to fetch jobs");
    const troubles = lines.filter((each) => isTrouble(each) && !isFetching(each));
    expect(lines.filter(isFetching).length).toBeLessThanOrEqual(1);
    expect(troubles.map(({ msg }) => msg)).toEqual([
      expect.stringMatching(/^Failed to reach the database \(DATABASE_URL, /),
    ]);
    expect(lines.filter(({ msg }) => msg.startsWith("The database is back after"))).toHaveLength(1);
  } finally {
    await stage.close();
    await proxy?.close();
  }
});
