/** What happened to insured units, as the admin's timeline shows it. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { timelinePart } from "#app/platform/timeline.server.ts";
import type { TimelineQuery } from "#app/platform/timeline.ts";
import { transitions } from "./unit-states.ts";
import type { Cause } from "./unit-states.ts";

const cause = z.custom<Cause>((value) => typeof value === "string" && value in transitions);

const rows = z.array(
  z.object({
    /** padded, so that it sorts as text */
    id: z.string(),
    at: z.coerce.date(),
    orderId: z.string(),
    orderName: z.string(),
    cause: z.literal("paid_for").or(cause),
    planTitle: z.string(),
    note: z.string().nullable(),
  }),
);
export type PlanActivity = z.infer<typeof rows>[number];

/** @param search an order's name or id, or a contract's number */
export async function planActivity(
  shop: string,
  search: string | null,
  query: TimelineQuery,
): Promise<PlanActivity[]> {
  const matching =
    search === null
      ? Prisma.empty
      : Prisma.sql`AND (o."orderId" = ${search} OR o.name IN (${search}, ${`#${search}`}) OR u."contractId" = ${search})`;
  const found = await db.$queryRaw`
    SELECT lpad(h.id::text, 20, '0') AS id, h.at, h."orderId", o.name AS "orderName", h.cause, u."planTitle", h.note
    FROM "UnitHistory" AS h
    JOIN "Order" AS o ON o.shop = h.shop AND o."orderId" = h."orderId"
    JOIN "InsuredUnit" AS u
      ON u.shop = h.shop AND u."orderId" = h."orderId" AND u."lineId" = h."lineId" AND u.unit = h.unit
    WHERE h.shop = ${shop} ${matching}
    ${timelinePart(query, { at: Prisma.sql`h.at`, id: Prisma.sql`lpad(h.id::text, 20, '0')` })}`;
  return rows.parse(found);
}
