/** Half months go by: each brings as many webhooks as the one before, and the hourly job deletes what is old. */
import type pg from "pg";
import { figure } from "../figure.ts";
import type { Figure } from "../figure.ts";
import { watch } from "./watch.ts";

const STEPS = 12;
const STEP_DAYS = 15.2;
/** Steps in the time that webhooks are kept: two years. */
const STEPS_KEPT = 48;

export async function cleaning(client: pg.Client, shop: string): Promise<Figure[]> {
  const { applyRetention } = await import("#app/compliance/retention.server.ts");
  const size = async () => {
    const { rows } = await client.query<{ bytes: string }>(
      `SELECT pg_total_relation_size('"InboxEvent"') AS bytes`,
    );
    return Number(rows[0]?.bytes);
  };
  const now = Date.now();
  const first = await watch(client, () => applyRetention(new Date(now)));
  const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM "InboxEvent"`);
  const kept = rows[0]?.count ?? NaN;
  let packed = NaN;
  let slowest = first.statement;
  for (let step = 1; step <= STEPS; step++) {
    const end = now + step * STEP_DAYS * 86_400_000;
    await client.query(
      `INSERT INTO "InboxEvent" (shop, id, "eventId", topic, "orderId", "webhookId", "receivedAt", "sealedBody", state, "doneAt")
       SELECT $1, 'new-' || $2::int || '-' || n, 'new-' || $2::int || '-' || n, 'orders/paid', n::text,
         'new-' || $2::int || '-' || n, at, repeat('x', 2000), 'done', at
       FROM generate_series(1, $3::int) AS n, LATERAL (SELECT to_timestamp($4::float8) - n * interval '15.2 days' / $3 AS at) AS t`,
      [shop, step, Math.round(kept / STEPS_KEPT), end / 1_000],
    );
    slowest = Math.max(slowest, (await watch(client, () => applyRetention(new Date(end)))).statement);
    // What autovacuum does by itself after as many changes; once, as small as what is kept can be.
    await client.query(`VACUUM ${step === 2 ? "FULL " : ""}"InboxEvent"`);
    if (step === 2) packed = await size();
  }
  const ratio = (await size()) / packed;
  return [
    figure("cleaning up for the first time", first.seconds, "s"),
    figure("webhooks kept", kept, "rows"),
    figure("cleaning, slowest statement", slowest, "ms", "at most 1000", slowest <= 1_000),
    figure(
      `size of the webhooks, ${(STEPS - 2) / 2} months later ÷ packed`,
      ratio,
      "ratio",
      "at most 1.2",
      ratio <= 1.2,
    ),
  ];
}
