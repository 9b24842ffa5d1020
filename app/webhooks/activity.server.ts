/** Events of the platform, as the admin's timeline shows them. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { timelinePart } from "#app/platform/timeline.server.ts";
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

/** @param search a topic, an order's id, or the id that the platform gave the event */
export async function eventActivity(
  shop: string,
  search: string | null,
  query: TimelineQuery,
): Promise<EventActivity[]> {
  const matching = search === null ? Prisma.empty : Prisma.sql`AND ${found(search)}`;
  const events = await db.$queryRaw`
    SELECT "eventId" AS id, "receivedAt" AS at, topic, "orderId", state, error FROM "InboxEvent"
    WHERE shop = ${shop} ${matching}
    ${timelinePart(query, { at: Prisma.sql`"receivedAt"`, id: Prisma.sql`"eventId"`, moment: utc })}`;
  return rows.parse(events);
}

/** Only a topic has a slash; ids are looked up in their indices. */
const found = (search: string) =>
  search.includes("/")
    ? Prisma.sql`topic = ${search}`
    : Prisma.sql`("orderId" = ${search} OR "eventId" = ${search})`;

/** The column holds moments in UTC without saying so. */
const utc = (at: Date) => Prisma.sql`(${at}::timestamptz AT TIME ZONE 'UTC')`;
