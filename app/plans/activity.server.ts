/** What happened to insured units, as the admin's timeline shows it. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { KeyValue } from "#app/platform/keyset.ts";
import { timelineClause } from "#app/platform/timeline.server.ts";
import type { TimelineQuery } from "#app/platform/timeline.ts";
import { isHistoryCause } from "./ledger/unit-states.ts";
import type { HistoryCause } from "./ledger/unit-states.ts";

const rows = z.array(
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
export type PlanActivity = z.infer<typeof rows>[number];

/**
 * Only what fits on the page is joined with its order and its plan.
 * @param search an order's name or id, or a contract's number
 */
export async function listPlanActivity(
  shop: string,
  search: string | null,
  query: TimelineQuery,
): Promise<PlanActivity[]> {
  const matching =
    search === null
      ? Prisma.empty
      : Prisma.sql`AND ("orderId", "lineId", "unitNumber") IN (${matchingUnitsSql(shop, search)})`;
  const found = await db.$queryRaw`
    SELECT lpad(h.id::text, 20, '0') AS id, h.at, h."orderId", o.name AS "orderName", h.cause, u."planTitle", h.note
    FROM (
      SELECT * FROM "UnitHistory" WHERE shop = ${shop} ${matching}
      ${timelineClause(query, {
        at: { column: Prisma.sql`at` },
        id: { column: Prisma.sql`id`, value: toRowNumber },
      })}
    ) AS h
    JOIN "Order" AS o ON o.shop = h.shop AND o."orderId" = h."orderId"
    JOIN "InsuredUnit" AS u
      ON u.shop = h.shop AND u."orderId" = h."orderId" AND u."lineId" = h."lineId" AND u."unitNumber" = h."unitNumber"`;
  return rows.parse(found);
}

/** The padded id of a cursor as the column has it. What is none comes before every row. */
const toRowNumber = (id: KeyValue) =>
  Prisma.sql`${/^0*\d{1,18}$/.test(String(id)) ? BigInt(String(id)) : 0n}`;

function matchingUnitsSql(shop: string, search: string): Prisma.Sql {
  return Prisma.sql`
    SELECT "orderId", "lineId", "unitNumber" FROM "InsuredUnit" WHERE shop = ${shop} AND "contractId" = ${search}
    UNION
    SELECT "orderId", "lineId", "unitNumber" FROM "InsuredUnit" WHERE shop = ${shop} AND "orderId" IN (
      SELECT "orderId" FROM "Order"
      WHERE shop = ${shop} AND ("orderId" = ${search} OR name IN (${search}, ${`#${search}`})))`;
}
