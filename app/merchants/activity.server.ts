import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { timelineClause } from "#app/platform/timeline.server.ts";
import type { TimelineQuery } from "#app/platform/timeline.ts";
import { activityKinds } from "./activity.ts";
import type { ActivityKind } from "./activity.ts";

/** @param subject what it was about, such as an environment or a lead's number; no personal data */
export async function recordActivity(shop: string, kind: ActivityKind, subject = ""): Promise<void> {
  await db.activity.create({ data: { shop, kind, subject } });
}

const rows = z.array(
  z.object({ id: z.string(), at: z.coerce.date(), kind: z.enum(activityKinds), subject: z.string() }),
);
export type AppActivity = z.infer<typeof rows>[number];

export async function listAppActivity(
  shop: string,
  search: string | null,
  query: TimelineQuery,
): Promise<AppActivity[]> {
  const matching = search === null ? Prisma.empty : Prisma.sql`AND subject ILIKE ${`%${search}%`}`;
  const found = await db.$queryRaw`
    SELECT id, at, kind, subject FROM "Activity" WHERE shop = ${shop} ${matching}
    ${timelineClause(query, { at: { column: Prisma.sql`at` }, id: { column: Prisma.sql`id` } })}`;
  return rows.parse(found);
}
