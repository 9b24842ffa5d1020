/** Which days the worker's sums do not hold for: pages count those from the order lines. */
import { z } from "zod";
import { sendJob } from "#app/jobs/queue.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { atMostRanges, toDayRanges } from "./day-ranges.ts";
import type { DayRange } from "./day-ranges.ts";
import { dayOf, isWithin, isWithinAny } from "./lines.server.ts";
import type { AttachmentSettings } from "./lines.server.ts";

export interface OverviewRange extends AttachmentSettings {
  environment: Environment;
  /** days in the shop's time zone, `YYYY-MM-DD`, both included; null leaves that side open */
  start: string | null;
  end: string | null;
}

/** Separate ranges of days that a statement names; where more changed, all days between them are counted. */
const MOST_RANGES = 16;

/** With more lines than this that the daily sums do not hold, a job counts them soon and not at its hour. */
const MANY_LINES = 2_000;

/** `days` is null where no sum holds: then the notes of changes, three for each order, are not read. */
const uncountedRows = z.tuple([z.object({ days: z.array(z.string()).nullable() })]);

/** The days of the period of which the daily sums do not hold. */
export async function uncountedDays(
  shop: string,
  { start, end, ...settings }: OverviewRange,
): Promise<DayRange[] | "all"> {
  const at = Prisma.sql`at`;
  const found = await db.$queryRaw`
    SELECT CASE WHEN EXISTS (
      SELECT FROM "AttachmentSettings"
      WHERE shop = ${shop} AND timezone = ${settings.timezone} AND currency = ${settings.currency}
    ) THEN ARRAY(
      SELECT to_char(day, 'YYYY-MM-DD')
      FROM (
        SELECT DISTINCT ${dayOf(at, settings)} AS day FROM "AttachmentChange"
        WHERE shop = ${shop} AND ${isWithin(at, { first: start, last: end }, settings)}
      ) AS changed
      ORDER BY day
    ) END AS days`;
  const [{ days }] = uncountedRows.parse(found);
  return days === null ? "all" : atMostRanges(toDayRanges(days), MOST_RANGES);
}

/** A condition on "Order": those of the period that the sums do not hold. */
export function ordersOf(
  { environment, start, end, ...settings }: OverviewRange,
  uncounted: DayRange[] | "all",
): Prisma.Sql {
  const purchasedAt = Prisma.sql`"purchasedAt"`;
  return Prisma.sql`environment = ${environment}
    AND ${isWithin(purchasedAt, { first: start, last: end }, settings)}
    AND ${uncounted === "all" ? Prisma.sql`true` : isWithinAny(purchasedAt, uncounted, settings)}`;
}

/** A condition on "AttachmentDay": the shop's days of the period whose sums hold. */
export function countedDaysOf(
  shop: string,
  { environment, start, end }: OverviewRange,
  uncounted: DayRange[] | "all",
): Prisma.Sql {
  const conditions = [
    Prisma.sql`shop = ${shop} AND environment = ${environment}`,
    ...(start === null ? [] : [Prisma.sql`day >= ${start}::date`]),
    ...(end === null ? [] : [Prisma.sql`day <= ${end}::date`]),
    ...(uncounted === "all"
      ? [Prisma.sql`false`]
      : uncounted.map(({ first, last }) => Prisma.sql`NOT day BETWEEN ${first}::date AND ${last}::date`)),
  ];
  return Prisma.join(conditions, " AND ");
}

/** The page itself is answered first: the job would take the processor and the embedded database from it. */
const RECOUNT_AFTER_MS = 5_000;

/** Sends the counting job, where a page had to count many lines itself. */
export async function requestRecount(shop: string, lines: number): Promise<void> {
  if (lines <= MANY_LINES) return;
  const startAfter = new Date(Date.now() + RECOUNT_AFTER_MS);
  await sendJob("attachment-recount", { shop }, { singletonKey: shop, startAfter });
}
