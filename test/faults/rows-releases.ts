/** Processes are replaced during orders: by a new version, or by the same. */
import { createHmac, randomUUID } from "node:crypto";
import { cp, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { steadyPort } from "#test/cluster.ts";
import { openEdge } from "./edge.ts";
import { runProcess } from "./processes.ts";
import type { Iteration } from "./iteration.ts";
import type { Row } from "./row.ts";

/** The next version's migration: a column that every insert must work without, and an index on the busiest table. */
const NEXT_MIGRATIONS = {
  "20991231000001_column": `ALTER TABLE "InsuredItem" ADD COLUMN "nextVersion" TEXT NOT NULL DEFAULT 'none';`,
  "20991231000002_index": `CREATE INDEX "InsuredItem_nextVersion" ON "InsuredItem" ("shop", "nextVersion");`,
};

/** @returns a folder with this code and more migrations */
async function nextVersion(iteration: Iteration): Promise<string> {
  const folder = join(iteration.testApp.folder, `next-${iteration.random.between(0, 1_000_000)}`);
  const link = async (from: string, to: string, except: string) => {
    await mkdir(to);
    for (const name of await readdir(from)) {
      if (name !== except) await symlink(resolve(from, name), join(to, name));
    }
  };
  await link(".", folder, "prisma");
  await link("prisma", join(folder, "prisma"), "migrations");
  const migrations = join(folder, "prisma/migrations");
  await cp("prisma/migrations", migrations, { recursive: true });
  for (const [name, text] of Object.entries(NEXT_MIGRATIONS)) {
    await mkdir(join(migrations, name));
    await writeFile(join(migrations, name, "migration.sql"), text);
  }
  return folder;
}

/**
 * A webhook of the shop whose body stops halfway, on a connection that the process keeps.
 * @returns a function that sends the rest and waits for the status or the error
 */
function beginSlowly(iteration: Iteration, port: number, agent: Agent): Promise<() => Promise<string>> {
  const [{ shopDomain }] = iteration.testApp.shops;
  const body = JSON.stringify({ id: 1, myshopify_domain: shopDomain });
  const id = randomUUID();
  const sent = request({
    port,
    agent,
    method: "POST",
    path: "/webhooks",
    headers: {
      "content-type": "application/json",
      "content-length": body.length,
      "x-shopify-topic": "shop/update",
      "x-shopify-shop-domain": shopDomain,
      "x-shopify-webhook-id": id,
      "x-shopify-event-id": id,
      "x-shopify-hmac-sha256": createHmac("sha256", iteration.testApp.env["SHOPIFY_API_SECRET"] ?? "")
        .update(body)
        .digest("base64"),
    },
  });
  const status = new Promise<string>((resolve) => {
    sent
      .once("response", (response) => resolve(String(response.resume().statusCode)))
      .once("error", ({ message }) => resolve(message));
  });
  const finish = () => {
    sent.end(body.slice(10));
    return status;
  };
  return new Promise((resolve) => sent.write(body.slice(0, 10), () => resolve(finish)));
}

/** Fifty orders a second until the work is done: at most ten times the row's orders. */
async function buyDuring(iteration: Iteration, work: Promise<void>): Promise<void> {
  const progress = { isOver: false };
  const end = () => {
    progress.isOver = true;
  };
  void work.then(end, end);
  for (let each = 0; each < iteration.orders || !progress.isOver; each++) {
    iteration.sales.buy();
    await Promise.race([wait(iteration.short ? 200 : 20), work.then(() => wait(1))]);
    if (each > iteration.orders * 10) break;
  }
  await work;
}

export const releaseRows: Row[] = [
  {
    row: 15,
    name: "web processes stopped under kept connections and slow requests: none cut",
    full: 600,
    short: 40,
    async run(iteration) {
      const edge = await openEdge(iteration.testApp.webPort);
      const open = async () => {
        const port = await steadyPort();
        const web = await iteration.web({ PORT: String(port), STOP_DELAY_SECONDS: "1" });
        await edge.add(port);
        return { web, port };
      };
      const serving = [await open(), await open()];
      await iteration.worker();
      const agent = new Agent({ keepAlive: true });
      const times = iteration.short ? 1 : 4;
      let slow = 0;
      const replaceAll = async () => {
        for (let each = 0; each < times; each++) {
          const old = serving.shift();
          if (!old) return;
          serving.push(await open());
          const begun = await Promise.all(
            Array.from({ length: 10 }, () => beginSlowly(iteration, old.port, agent)),
          );
          const stopped = old.web.end("SIGTERM");
          // Half of them end while the process still listens, the others after it refuses connections.
          const answers = begun.map(async (finish, index) => {
            await wait(index % 2 === 0 ? 500 : 3_000);
            return finish();
          });
          for (const answer of await Promise.all(answers)) {
            if (answer === "200") slow += 1;
            else iteration.wrong.push(`a slow request: ${answer}`);
          }
          await stopped;
          if (old.web.child.exitCode !== 0)
            iteration.wrong.push(`ended with ${old.web.child.exitCode ?? "a signal"}`);
        }
      };
      await buyDuring(iteration, replaceAll());
      await iteration.settle(120_000);
      iteration.said.push(
        `${edge.answered()} requests through the load balancer, ${slow} slow ones, ${times} stops`,
      );
      if (edge.answered() === 0) iteration.wrong.push("nothing came through the load balancer");
      iteration.wrong.push(...edge.failed.slice(0, 5));
      agent.destroy();
      await edge.close();
    },
  },
  {
    row: 12,
    name: "a rolling restart with a column added and an index made meanwhile: no failed answer",
    full: 1_500,
    short: 60,
    async run(iteration) {
      const edge = await openEdge(iteration.testApp.webPort);
      const cwd = await nextVersion(iteration);
      const openWeb = async (options: { cwd?: string } = {}) => {
        const port = await steadyPort();
        const web = await iteration.web({ PORT: String(port), STOP_DELAY_SECONDS: "1" }, [], options);
        await edge.add(port);
        return web;
      };
      const old = [await openWeb(), await openWeb(), await iteration.worker(), await iteration.worker()];
      const release = async () => {
        await runProcess("app/processes/operate.ts", {
          args: ["migrate"],
          env: { ...iteration.testApp.env, ...(await iteration.database()) },
          cwd,
        });
        for (const [index, each] of old.entries()) {
          await (index < 2 ? openWeb({ cwd }) : iteration.worker({}, [], { cwd }));
          await each.end("SIGTERM");
        }
      };
      await buyDuring(iteration, release());
      await iteration.settle(120_000);
      if (edge.answered() === 0) iteration.wrong.push("nothing came through the load balancer");
      iteration.wrong.push(...edge.failed.slice(0, 5));
      const attempts = iteration.sales.deliveries().flatMap((delivery) => delivery.attempts);
      const refused = attempts.filter(({ status }) => status !== 200);
      const how = refused
        .slice(0, 5)
        .map(({ status, error, ms }) => `${status ?? error ?? ""} after ${ms} ms`);
      if (refused.length > 0) iteration.wrong.push(`${refused.length} tries failed: ${how.join(", ")}`);
      await edge.close();
    },
  },
];
