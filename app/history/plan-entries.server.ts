/** What happened to insured items, as entries of the History. */
import { z } from "zod";
import { type HistoryCause, isHistoryCause } from "#app/orders/book/item-states.ts";
import { db } from "#app/platform/db.server.ts";
import type { KeyValue } from "#app/platform/keyset.ts";
import { timelineClause, withinPeriod } from "#app/platform/keyset.server.ts";
import type { TimelineQuery } from "#app/platform/list-page.ts";
import { Prisma } from "#app/platform/prisma/client.ts";

const planEntries = z.array(
  z.object({
    /** padded, so that it sorts as text */
    id: z.string(),
    at: z.coerce.date(),
    orderId: z.string(),
    orderName: z.string(),
    cause: z.custom<HistoryCause>(isHistoryCause),
    planTitle: z.string(),
    note: z.string().nullable(),
  }),
);
export type PlanEntry = z.infer<typeof planEntries>[number];

/** What became of a contract. Requests, retries and look-ups on the way are on the order's page alone. */
const shownCauses: HistoryCause[] = [
  "created",
  "found",
  "refused",
  "needs_attention",
  "withdrawn",
  "cancelled",
  "found_cancelled",
  "customer_withdrew",
];

/** Only what fits on the page is joined with its order and its plan. */
export async function readPlanEntries(
  { shop, timezone }: { shop: string; timezone: string },
  period: { start: string | null; end: string | null },
  query: TimelineQuery,
): Promise<PlanEntry[]> {
  const conditions = [
    Prisma.sql`shop = ${shop} AND cause = ANY(${shownCauses})`,
    ...withinPeriod(Prisma.sql`at`, period, timezone),
  ];
  const found = await db.$queryRaw`
    SELECT lpad(h.id::text, 20, '0') AS id, h.at, h."orderId", o.name AS "orderName", h.cause, u."planTitle", h.note
    FROM (
      SELECT * FROM "ItemHistory" WHERE ${Prisma.join(conditions, " AND ")}
      ${timelineClause(query, {
        at: { column: Prisma.sql`at` },
        id: { column: Prisma.sql`id`, value: toRowNumber },
      })}
    ) AS h
    JOIN "Order" AS o ON o.shop = h.shop AND o."orderId" = h."orderId"
    JOIN "InsuredItem" AS u
      ON u.shop = h.shop AND u."orderId" = h."orderId" AND u."lineId" = h."lineId" AND u."itemNumber" = h."itemNumber"`;
  return planEntries.parse(found);
}

/** The padded id of a cursor as the column has it. What is none comes before every row. */
const toRowNumber = (id: KeyValue) =>
  Prisma.sql`${/^0*\d{1,18}$/.test(String(id)) ? BigInt(String(id)) : 0n}`;
