/** A merchant whose slots are all in use has a long backlog: how long another merchant's paid order takes. */
import type pg from "pg";
import { figure } from "../figure.ts";
import type { Figure } from "../figure.ts";
import { percentile } from "../orders/load.ts";
import type { StormStage } from "./stage.ts";

const WAITING = Number(process.env["BENCH_WAITING"] ?? 100_000);
const ORDERS = 60;
const JOB = "platform-event";

export async function longBacklog(on: StormStage): Promise<Figure[]> {
  const other = on.testApp.shops[1]?.shopDomain ?? "";
  const empty = await p95(on);
  await on.reset();
  // In one line, as it was before floods waited apart; then as the inbox writer stores them.
  await flood(on.client, other, { jobs: WAITING, fetched: WAITING });
  const inLine = await p95(on);
  await on.reset();
  await flood(on.client, other, { jobs: WAITING, fetched: 100 });
  const apart = await p95(on);
  return [
    figure("paid order to plan, queue empty, p95", empty, "ms"),
    figure(`with ${WAITING} jobs of another shop in the same line, p95`, inLine, "ms"),
    figure(`with ${WAITING} jobs of another shop, p95`, apart, "ms"),
    figure("its ratio to the empty queue", apart / empty, "ratio", "at most 2", apart / empty <= 2),
  ];
}

/** Jobs of a shop: eight run elsewhere and do not end, `fetched` wait to be fetched, the others in its backlog. */
export async function flood(
  client: pg.Client,
  shop: string,
  { jobs, fetched }: { jobs: number; fetched: number },
): Promise<void> {
  await client.query(
    `INSERT INTO pgboss.job_common (name, data, group_id, priority, state, started_on, heartbeat_seconds, expire_seconds,
       retry_limit, policy)
     SELECT $1, jsonb_build_object('shop', $2::text, 'inboxId', n::text), $2, CASE WHEN n <= $4::int THEN 0 ELSE -1 END,
       CASE WHEN n <= 8 THEN 'active' ELSE 'created' END::pgboss.job_state, now(), NULL, 86400, 450, 'standard'
     FROM generate_series(1, $3::int) AS n`,
    [JOB, shop, jobs, fetched],
  );
  await client.query("ANALYZE pgboss.job_common");
}

async function p95(on: StormStage): Promise<number> {
  const [shop] = on.testApp.shops;
  const worker = await on.startWorker();
  const times: number[] = [];
  // The first ones warm up.
  for (let each = -5; each < ORDERS; each++) {
    const ms = await on.orderToPlan(shop, 60_000);
    if (each >= 0) times.push(ms ?? Infinity);
  }
  await worker.end();
  if (process.env["BENCH_PRINT"]) console.error(times.map(Math.round));
  return percentile(
    times.toSorted((a, b) => a - b),
    0.95,
  );
}
