/** Fills the tables with past orders, as if the shop had sold that many. */
import type pg from "pg";

/** Orders, lines, units, history, events and finished jobs, `count` of each; numbered from `from`. */
export async function grow(client: pg.Client, shop: string, from: number, count: number): Promise<void> {
  const range = [shop, from, from + count - 1];
  await client.query(
    `INSERT INTO "Order" (shop, "orderId", name, "purchasedAt", "changedAt", "paidAt", currency, "paymentMethod",
       "salesChannel", "sealedCustomer", "emailDigest", environment, "salesRecordStatus")
     SELECT $1, 'past-' || n, '#' || n, now() - n * interval '1 minute', now() - n * interval '1 minute',
       now() - n * interval '1 minute', 'EUR', 'credit_card', 'online',
       repeat('x', 300), md5(n::text), 'test', 'recorded'
     FROM generate_series($2::int, $3::int) AS n`,
    range,
  );
  await client.query(
    `INSERT INTO "OrderLine" (shop, "orderId", "lineId", "pairId", "productId", "variantId", title, quantity, "currentQuantity",
       "listPriceMinor", "priceMinor", currency, "categoryId", "insuranceOffered", "insuranceSelected")
     SELECT $1, 'past-' || n, '1', '1', '1', '2', 'Téléphone', 1, 1, 34900, 34900, 'EUR', 'Smartphone casse et vol', true, true
     FROM generate_series($2::int, $3::int) AS n`,
    range,
  );
  await client.query(
    `INSERT INTO "InsuredUnit" (shop, "orderId", environment, "lineId", "unitNumber", state, "offerReferenceId", "planVariantId", "planTitle",
       "offerPriceMinor", "premiumMinor", currency, "contractId", attempt, "sentAt")
     SELECT $1, 'past-' || n, 'test', '2', 1, 'active', 'SMA-CV-24-04', '9', 'Assurance', 7890, 7890, 'EUR', 'PAST-' || n, 1, now()
     FROM generate_series($2::int, $3::int) AS n`,
    range,
  );
  await client.query(
    `INSERT INTO "UnitHistory" (shop, "orderId", "lineId", "unitNumber", before, after, cause, attempt)
     SELECT $1, 'past-' || n, '2', 1, step.before, step.after, step.cause, 1
     FROM generate_series($2::int, $3::int) AS n,
       (VALUES (NULL, 'pending', 'paid_for'), ('pending', 'creating', 'send'), ('creating', 'active', 'created'))
         AS step (before, after, cause)`,
    range,
  );
  await client.query(
    `INSERT INTO "InboxEvent" (shop, id, "eventId", topic, "webhookId", "sealedBody", state, "receivedAt", "doneAt")
     SELECT $1, 'past-' || n, 'past-' || n, 'orders/paid', 'past-' || n, '', 'done', now() - n * interval '1 minute', now()
     FROM generate_series($2::int, $3::int) AS n`,
    range,
  );
  // What the queue keeps of an hour.
  await client.query(
    `INSERT INTO pgboss.job (name, data, state, created_on, completed_on, policy)
     SELECT 'platform-event', jsonb_build_object('shop', $1::text, 'inboxId', 'past-' || n), 'completed',
       now() - n * interval '1 second', now(), 'standard'
     FROM generate_series($2::int, LEAST($3::int, 100000)) AS n`,
    range,
  );
  await client.query("VACUUM ANALYZE");
}
