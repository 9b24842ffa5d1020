/** The audit log as the admin lists and exports it: latest first. */
import { z } from "zod";
import { csvTable } from "#app/platform/csv.server.ts";
import { db } from "#app/platform/db.server.ts";
import { inBatches, readKeyset, timeKey } from "#app/platform/keyset.ts";
import type { Keyset, TimeKey } from "#app/platform/keyset.ts";
import { keysetClause } from "#app/platform/keyset.server.ts";
import { toListPage } from "#app/platform/list-page.ts";
import type { ListPage, PageRequest } from "#app/platform/list-page.ts";
import { withinPeriod } from "#app/platform/period.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { timelineClause } from "#app/platform/timeline.server.ts";
import type { TimelineQuery } from "#app/platform/timeline.ts";
import { accessActions, isAuditAction } from "./actions.ts";
import type { AuditAction } from "./actions.ts";
import type { AuditFilter } from "./audit-filter.ts";

const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

const auditEntry = z.object({
  id: z.string(),
  at: z.coerce.date(),
  actorKind: z.enum(["staff", "system", "unknown"]),
  /** a staff member's id, or what made the app act */
  actorId: z.string(),
  /** of the staff member; null where it is not known */
  actorName: z.string().nullable(),
  action: z.custom<AuditAction>(isAuditAction),
  subject: z.string(),
  before: values.nullable(),
  after: values.nullable(),
});
export type AuditEntryView = z.infer<typeof auditEntry>;

const entries = Prisma.sql`
  SELECT e.id, e.at, e."actorKind", e."actorId", s.name AS "actorName", e.action, e.subject, e.before, e.after
  FROM "AuditEntry" AS e LEFT JOIN "StaffMember" AS s ON s.shop = e.shop AND s."staffId" = e."actorId"`;
const order = { at: { column: Prisma.sql`e.at` }, id: { column: Prisma.sql`e.id` } };

/** Whose log it is, and the time zone of the filter's days. */
interface Reader {
  shop: string;
  timezone: string;
}

async function readEntries(
  { shop, timezone }: Reader,
  { action, actor, ...period }: AuditFilter,
  keyset: Keyset<TimeKey>,
  limit: number,
): Promise<AuditEntryView[]> {
  const conditions = [
    Prisma.sql`e.shop = ${shop}`,
    ...(action === null ? [] : [Prisma.sql`e.action = ${action}`]),
    ...(actor === "system" ? [Prisma.sql`e."actorKind" = 'system'`] : []),
    ...(actor !== null && actor !== "system"
      ? [Prisma.sql`e."actorKind" = 'staff' AND e."actorId" = ${actor}`]
      : []),
    ...withinPeriod(order.at.column, period, timezone),
  ];
  const rows = await db.$queryRaw`${entries} WHERE ${Prisma.join(conditions, " AND ")}
    ${keysetClause(keyset, [order.at, order.id])} LIMIT ${limit}`;
  return z.array(auditEntry).parse(rows);
}

const keyOf = ({ at, id }: AuditEntryView): TimeKey => [at, id];

export async function listAudit(
  reader: Reader,
  filter: AuditFilter,
  request: PageRequest,
  size: number,
): Promise<ListPage<AuditEntryView>> {
  const keyset = readKeyset(timeKey, request);
  return toListPage(await readEntries(reader, filter, keyset, size + 1), size, keyset, keyOf);
}

/** The people that the log can be filtered by, by name. */
export async function listStaff(shop: string): Promise<{ id: string; name: string | null }[]> {
  const rows = await db.staffMember.findMany({
    where: { shop },
    orderBy: [{ name: "asc" }, { staffId: "asc" }],
    take: 200,
  });
  return rows.map(({ staffId, name }) => ({ id: staffId, name }));
}

const columns: Record<string, (entry: AuditEntryView) => string> = {
  at: ({ at }) => at.toISOString(),
  actor_kind: ({ actorKind }) => actorKind,
  actor_id: ({ actorId }) => actorId,
  actor_name: ({ actorName }) => actorName ?? "",
  action: ({ action }) => action,
  subject: ({ subject }) => subject,
  before: ({ before }) => (before === null ? "" : JSON.stringify(before)),
  after: ({ after }) => (after === null ? "" : JSON.stringify(after)),
};

/** All that the filter lets through, as a file. */
export function exportAudit(reader: Reader, filter: AuditFilter): Response {
  const found = inBatches(
    500,
    (keyset: Keyset<TimeKey>, size) => readEntries(reader, filter, keyset, size),
    keyOf,
  );
  return csvTable("audit.csv", columns, found);
}

/** For the page Activity: without the looks at customers' data. @param search part of the subject */
export async function listAuditActivity(
  shop: string,
  search: string | null,
  query: TimelineQuery,
): Promise<AuditEntryView[]> {
  const matching = search === null ? Prisma.empty : Prisma.sql`AND e.subject ILIKE ${`%${search}%`}`;
  const rows = await db.$queryRaw`
    ${entries} WHERE e.shop = ${shop} AND e.action <> ALL(${Object.keys(accessActions)}) ${matching}
    ${timelineClause(query, order)}`;
  return z.array(auditEntry).parse(rows);
}
