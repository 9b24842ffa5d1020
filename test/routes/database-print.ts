/** The database's content, to check whether a request wrote anything. */
import { z } from "zod";
import { openQuoteCustomer } from "#app/quotes/quotes.server.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { db } from "#app/platform/db.server.ts";
import { openBody } from "#app/inbox/sealed-body.server.ts";
import { openConsents, openCustomer } from "#app/orders/sealed.server.ts";

const tables = z.array(z.object({ schema: z.string(), name: z.string(), shop: z.boolean() }));
const print = z.tuple([z.object({ print: z.string() })]);
const rows = z.array(z.object({ row: z.string() }));

export async function allTables() {
  const found = await db.$queryRaw`
    SELECT t.table_schema AS schema, t.table_name AS name, EXISTS (
      SELECT FROM information_schema.columns AS c
      WHERE c.table_schema = t.table_schema AND c.table_name = t.table_name AND c.column_name = 'shop') AS shop
    FROM information_schema.tables AS t
    WHERE t.table_type = 'BASE TABLE' AND t.table_schema IN ('public', 'pgboss') ORDER BY 1, 2`;
  return tables.parse(found);
}

/** A digest of each app table, of one shop's rows or of all, and of the jobs. */
export async function databasePrint(shop: string | null = null): Promise<Record<string, string>> {
  const prints: Record<string, string> = {};
  for (const { schema, name, shop: hasShop } of await allTables()) {
    if (schema !== "public") continue;
    const where = hasShop && shop !== null ? "WHERE t.shop = $1" : "WHERE $1::text IS NULL OR true";
    const found = await db.$queryRawUnsafe(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' ORDER BY t::text)), '') AS print
       FROM "${name}" AS t ${where}`,
      shop,
    );
    prints[name] = print.parse(found)[0].print;
  }
  const jobs = await db.$queryRawUnsafe(
    `SELECT coalesce(string_agg(name || ' ' || state || ' ' || data, E'\\n' ORDER BY id), '') AS print
     FROM pgboss.job WHERE data ? 'shop' AND ($1::text IS NULL OR data->>'shop' = $1)`,
    shop,
  );
  return { ...prints, jobs: print.parse(jobs)[0].print };
}

/** The decrypted values that were sealed with merchants' keys: their location and text. */
async function sealedTexts(): Promise<{ place: string; text: string }[]> {
  const orders = await db.order.findMany();
  const events = await db.webhook.findMany({ where: { sealedBody: { not: "" } } });
  const quotes = await db.quote.findMany();
  return Promise.all([
    ...orders.map(async ({ shop, orderId, sealedConsents }) => ({
      place: "public.Order",
      text: Object.values(openConsents(await dataKeyOf(shop), orderId, sealedConsents)).join(" "),
    })),
    ...quotes.flatMap(({ shop, sealedCustomer }) =>
      sealedCustomer === null
        ? []
        : [
            dataKeyOf(shop).then((key) => ({
              place: "public.Quote",
              text: JSON.stringify(openQuoteCustomer(key, sealedCustomer)),
            })),
          ],
    ),
    ...events.map(async ({ shop, id, topic, sealedBody }) => ({
      place: "public.Webhook",
      text: `${topic} ${openBody(await dataKeyOf(shop), id, sealedBody)}`,
    })),
    ...orders.flatMap(({ shop, orderId, sealedCustomer }) =>
      sealedCustomer === null
        ? []
        : [
            dataKeyOf(shop).then((key) => ({
              place: "public.Order",
              text: JSON.stringify(openCustomer(key, orderId, sealedCustomer)),
            })),
          ],
    ),
  ]);
}

/**
 * Every row of every table that contains one of the words, ignoring case. It includes the queue's tables and sealed
 * text.
 */
export async function rowsWith(...words: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const { schema, name } of await allTables()) {
    for (const word of words) {
      const holding = await db.$queryRawUnsafe(
        `SELECT t::text AS row FROM "${schema}"."${name}" AS t WHERE position(lower($1) IN lower(t::text)) > 0`,
        word,
      );
      found.push(
        ...rows.parse(holding).map(({ row }) => `${schema}.${name} holds ${word}: ${row.slice(0, 300)}`),
      );
    }
  }
  for (const { place, text } of await sealedTexts()) {
    for (const word of words.filter((each) => text.toLowerCase().includes(each.toLowerCase()))) {
      found.push(`${place} holds ${word}, sealed: ${text}`);
    }
  }
  return found;
}
