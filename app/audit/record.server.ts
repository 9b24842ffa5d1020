/** Writes the audit log. Entries contain ids and settings, and no personal data of shoppers. */
import { db, type Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { AccessAction, AuditAction } from "./actions.ts";
import type { Actor } from "./actor.ts";
import type { AuditValues } from "./changes.ts";

interface NewAuditEntry {
  shop: string;
  actor: Actor;
  action: AuditAction;
  /** the subject, of the type in app/audit/actions.ts */
  subject?: string;
  before?: AuditValues;
  after?: AuditValues;
}

const columns = (actor: Actor) => ({
  actorKind: actor.kind,
  actorId: actor.kind === "staff" ? actor.id : actor.cause,
});

/**
 * Adds an entry.
 * @param tx the transaction of the action, so that both are saved or neither
 */
export async function recordAudit(
  { shop, actor, action, subject = "", before, after }: NewAuditEntry,
  tx: Transaction = db,
): Promise<void> {
  await tx.auditEntry.create({
    data: {
      shop,
      ...columns(actor),
      action,
      subject,
      before: before ?? Prisma.DbNull,
      after: after ?? Prisma.DbNull,
    },
  });
}

const HOUR_MS = 3_600_000;

/** Adds an entry for a view of customers' data, unless the same person has one within the last hour. */
export async function recordAccess(
  { shop, actor }: { shop: string; actor: Actor },
  action: AccessAction,
  subject: string,
): Promise<void> {
  const now = Date.now();
  const accessHour = new Date(now - (now % HOUR_MS));
  await db.auditEntry.createMany({
    data: [{ shop, ...columns(actor), action, subject, accessHour }],
    skipDuplicates: true,
  });
}
