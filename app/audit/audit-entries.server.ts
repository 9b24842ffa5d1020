/** The stored entries of the audit log: the history shows them, retention deletes them. */
import { z } from "zod";
import { db, inSmallSteps } from "#app/platform/db.server.ts";
import { allowErasure } from "#app/platform/erase-shop.server.ts";
import { timelineClause, withinPeriod } from "#app/platform/keyset.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { TimelineQuery } from "#app/platform/list-page.ts";
import { auditActions, isAuditAction } from "./actions.ts";
import type { AuditAction } from "./actions.ts";

const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

const auditEntry = z.object({
  id: z.string(),
  at: z.coerce.date(),
  actorKind: z.enum(["staff", "system"]),
  /** a staff member's id, or the app's cause */
  actorId: z.string(),
  /** the staff member's name; null if unknown */
  actorName: z.string().nullable(),
  action: z.custom<AuditAction>(isAuditAction),
  subject: z.string(),
  /** the order's name or the product's title, if the app knows the subject */
  subjectName: z.string().nullable(),
  before: values.nullable(),
  after: values.nullable(),
});
export type AuditEntryView = z.infer<typeof auditEntry>;

interface AuditFilter {
  actions: readonly AuditAction[];
  /** `app`, `staff` or the id of one staff member; null: everybody */
  who: string | null;
  /** first and last day, both included */
  start: string | null;
  end: string | null;
}

const actionsAbout = (subject: string) =>
  Object.entries(auditActions).flatMap(([action, of]) => (of === subject ? [action] : []));
const aboutOrders = actionsAbout("order");
const aboutProducts = actionsAbout("product");

function actorCondition(who: string | null): Prisma.Sql[] {
  if (who === null) return [];
  if (who === "app") return [Prisma.sql`e."actorKind" = 'system'`];
  if (who === "staff") return [Prisma.sql`e."actorKind" = 'staff'`];
  return [Prisma.sql`e."actorKind" = 'staff' AND e."actorId" = ${who}`];
}

export async function readAuditEntries(
  { shop, timezone }: { shop: string; timezone: string },
  { actions, who, ...period }: AuditFilter,
  query: TimelineQuery,
): Promise<AuditEntryView[]> {
  const at = { column: Prisma.sql`e.at` };
  const conditions = [
    Prisma.sql`e.shop = ${shop} AND e.action = ANY(${[...actions]})`,
    ...actorCondition(who),
    ...withinPeriod(at.column, period, timezone),
  ];
  const rows = await db.$queryRaw`
    SELECT e.id, e.at, e."actorKind", e."actorId", s.name AS "actorName", e.action, e.subject, e.before, e.after,
      CASE WHEN e.action = ANY(${aboutOrders})
        THEN (SELECT o.name FROM "Order" AS o WHERE o.shop = e.shop AND o."orderId" = e.subject)
        WHEN e.action = ANY(${aboutProducts})
        THEN (SELECT p.title FROM "ShopProduct" AS p WHERE p.shop = e.shop AND p."productId" = e.subject)
      END AS "subjectName"
    FROM "AuditEntry" AS e LEFT JOIN "StaffMember" AS s ON s.shop = e.shop AND s."staffId" = e."actorId"
    WHERE ${Prisma.join(conditions, " AND ")} ${timelineClause(query, { at, id: { column: Prisma.sql`e.id` } })}`;
  return z.array(auditEntry).parse(rows);
}

/** The staff members to filter the history by, sorted by name. */
export async function listStaff(shop: string): Promise<{ id: string; name: string | null }[]> {
  const rows = await db.staffMember.findMany({
    where: { shop },
    orderBy: [{ name: "asc" }, { staffId: "asc" }],
    take: 200,
  });
  return rows.map(({ staffId, name }) => ({ id: staffId, name }));
}

/** Deletes a shop's entries that are older than `before`. @returns their number */
export async function deleteAuditBefore(shop: string, before: Date, signal?: AbortSignal): Promise<number> {
  const at = before.toISOString();
  return inSmallSteps(
    (size) =>
      db.$transaction(async (tx) => {
        await allowErasure(tx, shop);
        return tx.$executeRaw`
          DELETE FROM "AuditEntry" WHERE shop = ${shop} AND id IN (
            SELECT id FROM "AuditEntry" WHERE shop = ${shop} AND at < ${at}::timestamptz LIMIT ${size})`;
      }),
    signal,
  );
}

/** An SQL condition on `m.shop`: the shop has entries older than `before`. */
export const hasAuditBefore = (before: Date) => Prisma.sql`EXISTS (
  SELECT FROM "AuditEntry" AS a WHERE a.shop = m.shop AND a.at < ${before.toISOString()}::timestamptz)`;
