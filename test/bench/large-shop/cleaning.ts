/** Months go by: each brings as many webhooks as the one before, and the hourly job deletes what is old. */
import type pg from "pg";
import { figure } from "../figure.ts";
import type { Figure } from "../figure.ts";
import { watch } from "./watch.ts";

const MONTHS = 6;
const MONTH_MS = 30.4 * 86_400_000;

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
  for (let month = 1; month <= MONTHS; month++) {
    const end = now + month * MONTH_MS;
    await client.query(
      `INSERT INTO "InboxEvent" (shop, id, "eventId", topic, "orderId", "webhookId", "receivedAt", "sealedBody", state, "doneAt")
       SELECT $1, 'new-' || $2::int || '-' || n, 'new-' || $2::int || '-' || n, 'orders/paid', n::text,
         'new-' || $2::int || '-' || n, at, repeat('x', 2000), 'done', at
       FROM generate_series(1, $3::int) AS n, LATERAL (SELECT to_timestamp($4::float8) - n * interval '30.4 days' / $3 AS at) AS t`,
      [shop, month, Math.round(kept / 24), end / 1_000],
    );
    slowest = Math.max(slowest, (await watch(client, () => applyRetention(new Date(end)))).statement);
    // What autovacuum does by itself between two months; once, as small as what is kept can be.
    await client.query(`VACUUM ${month === 1 ? "FULL " : ""}"InboxEvent"`);
    if (month === 1) packed = await size();
  }
  const ratio = (await size()) / packed;
  return [
    figure("cleaning up for the first time", first.seconds, "s"),
    figure("webhooks kept", kept, "rows"),
    figure("cleaning, slowest statement", slowest, "ms", "at most 1000", slowest <= 1_000),
    figure(
      `size of the webhooks, ${MONTHS - 1} months later ÷ packed`,
      ratio,
      "ratio",
      "at most 1.2",
      ratio <= 1.2,
    ),
  ];
}
