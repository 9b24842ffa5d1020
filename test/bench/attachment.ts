/**
 * The attachment statistics of 100,000 orders over three years. Its parts: embedded, in the embedded database; server,
 * on PostgreSQL.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { openCluster, serverUrl } from "#test/cluster.ts";
import { runProcess } from "#test/faults/processes.ts";
import { environment } from "./environment.ts";
import { runParts } from "./figure.ts";
import type { Figure } from "./figure.ts";

const times = z.object({ first: z.number(), recount: z.number(), later: z.number(), selling: z.number() });

const app = { ...environment, LOG_LEVEL: "error", EMBEDDED_DATABASE_IN_PRODUCTION: "yes" };

export async function bench(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "parasol-attachment-"));
  const cluster = await openCluster();
  try {
    const server = { DATABASE_URL: serverUrl(cluster.port, await cluster.newDatabase()) };
    await runProcess("app/processes/operate.ts", { args: ["migrate"], env: { ...app, ...server } });
    return await runParts({
      embedded: () => figures("embedded", { DATA_DIR: folder }),
      server: () => figures("PostgreSQL", server),
    });
  } finally {
    await cluster.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function figures(database: string, env: Record<string, string>): Promise<Figure[]> {
  const said = await runProcess("test/bench/attachment/looks.ts", { env: { ...app, ...env } });
  const { first, recount, later, selling } = times.parse(JSON.parse(said));
  const row = (name: string, value: number, unit: string, goal: number | null): Figure => ({
    name: `${database}: ${name}`,
    value,
    unit,
    goal: goal === null ? "" : `at most ${goal}`,
    holds: goal === null ? null : value <= goal,
  });
  return [
    row("first look, nothing counted", first, "ms, once", 1_000),
    row("the worker counts three years", recount, "ms, once", null),
    row("later looks", later, "ms, median", 150),
    row("later looks, each after a sale", selling, "ms, median", 150),
  ];
}
