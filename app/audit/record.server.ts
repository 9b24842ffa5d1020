/** Writes the audit log. Entries hold ids and settings, never personal data of shoppers. */
import { db, type Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { AccessAction, AuditAction } from "./actions.ts";
import type { Actor } from "./actor.ts";
import type { AuditValues } from "./changes.ts";

interface NewAuditEntry {
  shop: string;
  actor: Actor;
  action: AuditAction;
  /** what it was about, as app/audit/actions.ts says */
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
 * @param tx that of the act, so that neither is there without the other
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

/** Adds an entry for a view of customers' data, unless the same person's view within the last hour has one. */
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
