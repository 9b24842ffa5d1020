/** Webhook events for the activity timeline. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { utcTimestamp } from "#app/platform/keyset.server.ts";
import { timelineClause } from "#app/platform/timeline.server.ts";
import type { TimelineQuery } from "#app/platform/timeline.ts";

const rows = z.array(
  z.object({
    id: z.string(),
    at: z.coerce.date(),
    topic: z.string(),
    orderId: z.string().nullable(),
    state: z.enum(["received", "done", "failed"]),
    error: z.string().nullable(),
  }),
);
export type EventActivity = z.infer<typeof rows>[number];

/** @param search a topic, an order id or the id of a stored webhook */
export async function listEventActivity(
  shop: string,
  search: string | null,
  query: TimelineQuery,
): Promise<EventActivity[]> {
  const matching = search === null ? Prisma.empty : Prisma.sql`AND ${searchCondition(search)}`;
  const events = await db.$queryRaw`
    SELECT id, "receivedAt" AS at, topic, "orderId", state, error FROM "InboxEvent"
    WHERE shop = ${shop} ${matching}
    ${timelineClause(query, {
      at: { column: Prisma.sql`"receivedAt"`, value: utcTimestamp },
      id: { column: Prisma.sql`id` },
    })}`;
  return rows.parse(events);
}

/** Only topics contain a slash. Ids are found by their indices. */
const searchCondition = (search: string) =>
  search.includes("/")
    ? Prisma.sql`topic = ${search}`
    : Prisma.sql`("orderId" = ${search} OR id = ${search})`;
