/** The runs as entries of the shop's history. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { timelineClause, withinPeriod } from "#app/platform/keyset.server.ts";
import type { TimelineQuery } from "#app/platform/list-page.ts";
import { Prisma } from "#app/platform/prisma/client.ts";

const runEntries = z.array(
  z.object({
    id: z.string(),
    at: z.coerce.date(),
    kind: z.enum(["catalogue", "products"]),
    state: z.enum(["queued", "running", "done", "failed", "cancelled"]),
    environment: z.string(),
  }),
);
export type RunEntry = z.infer<typeof runEntries>[number];

export async function readRunEntries(
  { shop, timezone }: { shop: string; timezone: string },
  period: { start: string | null; end: string | null },
  query: TimelineQuery,
): Promise<RunEntry[]> {
  const conditions = [Prisma.sql`shop = ${shop}`, ...withinPeriod(Prisma.sql`"createdAt"`, period, timezone)];
  const runRows = await db.$queryRaw`
    SELECT id, "createdAt" AS at, kind, state, environment FROM "SyncRun" WHERE ${Prisma.join(conditions, " AND ")}
    ${timelineClause(query, {
      at: { column: Prisma.sql`"createdAt"` },
      id: { column: Prisma.sql`id` },
    })}`;
  return runEntries.parse(runRows);
}
