/** What became of insurance contracts, as entries of the History: the events of the orders' books that tell it. */
import { z } from "zod";
import { bookEvent } from "#app/orders/book/events.ts";
import { itemsOf } from "#app/orders/book/evolve.ts";
import { type Cause, tell } from "#app/orders/book/story.ts";
import { db } from "#app/platform/db.server.ts";
import type { KeyValue } from "#app/platform/keyset.ts";
import { timelineClause, withinPeriod } from "#app/platform/keyset.server.ts";
import type { TimelineQuery } from "#app/platform/list-page.ts";
import { Prisma } from "#app/platform/prisma/client.ts";

export interface PlanEntry {
  /** padded, so that it sorts as text */
  id: string;
  at: Date;
  orderId: string;
  orderName: string;
  cause: Cause;
  planTitle: string;
  note: string | null;
}

const rowsOfEvents = z.array(
  z.object({
    id: z.string(),
    at: z.coerce.date(),
    orderId: z.string(),
    orderName: z.string(),
    data: bookEvent,
    plans: z.array(z.object({ lineId: z.string(), itemNumber: z.int(), planTitle: z.string() })),
  }),
);

/** What became of a contract. Requests, retries and look-ups on the way are on the order's page alone. */
const isShown = Prisma.sql`(
  type IN ('handed_over', 'withdrew', 'left', 'lost_product')
  OR (type = 'contract' AND data->>'status' IN ('active', 'cancelled', 'missing') AND data->>'item' IS NOT NULL)
  OR (type = 'answered' AND data->>'outcome' = 'refused')
  OR (type = 'sold' AND (data->>'finding' IS NOT NULL OR data->>'replaces' IS NOT NULL))
  OR (type = 'details_missing' AND (data->'missing' <> '[]' OR data->>'refused' IS NOT NULL)))`;

/** Only what fits on the page is joined with its order and its plans. */
export async function readPlanEntries(
  { shop, timezone }: { shop: string; timezone: string },
  period: { start: string | null; end: string | null },
  query: TimelineQuery,
): Promise<PlanEntry[]> {
  const conditions = [
    Prisma.sql`shop = ${shop} AND ${isShown}`,
    ...withinPeriod(Prisma.sql`at`, period, timezone),
  ];
  const found = await db.$queryRaw`
    SELECT lpad(e.id::text, 20, '0') AS id, e.at, e."orderId", o.name AS "orderName", e.data, (
      SELECT COALESCE(jsonb_agg(jsonb_build_object('lineId', u."lineId", 'itemNumber', u."itemNumber",
        'planTitle', u."planTitle") ORDER BY u."lineId", u."itemNumber"), '[]')
      FROM "InsuredItem" AS u WHERE u.shop = e.shop AND u."orderId" = e."orderId") AS plans
    FROM (
      SELECT * FROM "OrderEvent" WHERE ${Prisma.join(conditions, " AND ")}
      ${timelineClause(query, {
        at: { column: Prisma.sql`at` },
        id: { column: Prisma.sql`id`, value: toRowNumber },
      })}
    ) AS e
    JOIN "Order" AS o ON o.shop = e.shop AND o."orderId" = e."orderId"
    ORDER BY e.at DESC, e.id DESC`;
  return rowsOfEvents.parse(found).flatMap(({ data, plans, ...entry }) => {
    const told = tell(data, "");
    if (told === null) return [];
    const items = itemsOf(data);
    // An event about no item is about all of the order's plans.
    const isAbout = (plan: { lineId: string; itemNumber: number }) =>
      items.length === 0 ||
      items.some(({ lineId, number }) => lineId === plan.lineId && number === plan.itemNumber);
    const titles = new Set(plans.filter(isAbout).map(({ planTitle }) => planTitle));
    return [{ ...entry, cause: told.cause, planTitle: [...titles].join(", "), note: told.note ?? null }];
  });
}

/** The padded id of a cursor as the column has it. What is none comes before every row. */
const toRowNumber = (id: KeyValue) =>
  Prisma.sql`${/^0*\d{1,18}$/.test(String(id)) ? BigInt(String(id)) : 0n}`;
