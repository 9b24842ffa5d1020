/** Runs of the catalogue, as the admin's timeline shows them. */
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
    kind: z.enum(["catalogue", "products"]),
    state: z.enum(["queued", "running", "done", "failed", "cancelled"]),
    environment: z.string(),
  }),
);
export type RunActivity = z.infer<typeof rows>[number];

/** @param search an environment's name or a state */
export async function runActivity(
  shop: string,
  search: string | null,
  query: TimelineQuery,
): Promise<RunActivity[]> {
  const matching = search === null ? Prisma.empty : Prisma.sql`AND ${search} IN (environment, state, kind)`;
  const found = await db.$queryRaw`
    SELECT id, "createdAt" AS at, kind, state, environment FROM "SyncRun" WHERE shop = ${shop} ${matching}
    ${timelineClause(query, {
      at: { column: Prisma.sql`"createdAt"`, value: utcTimestamp },
      id: { column: Prisma.sql`id` },
    })}`;
  return rows.parse(found);
}
