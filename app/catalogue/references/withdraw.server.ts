/** Takes back what a file brought. What the service offers itself stays: only its mark goes. */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { startRun } from "#app/catalogue/runs/runs.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";

/** How many references of this environment files brought. */
export async function countImported(shop: string, environment: Environment): Promise<number> {
  return db.reference.count({ where: { shop, environment, importedAt: { not: null } } });
}

/**
 * Withdraws imported references; a run takes them off sale.
 * @param referenceId null: all of them
 * @returns how many there were
 */
export async function withdrawImported(
  shop: string,
  environment: Environment,
  referenceId: string | null,
  actor: Actor,
): Promise<number> {
  const where = {
    ...{ shop, environment, importedAt: { not: null } },
    ...(referenceId === null ? {} : { referenceId }),
  };
  const withdrawn = await db.$transaction(async (tx) => {
    await tx.reference.updateMany({
      where: { ...where, source: "file" },
      data: { state: "vanished", vanishedAt: new Date() },
    });
    const { count } = await tx.reference.updateMany({ where, data: { importedAt: null } });
    if (count === 0) return 0;
    const after = { references: count, ...(referenceId === null ? {} : { reference: referenceId }) };
    const entry = { action: "references_withdrawn", subject: environment, after } as const;
    await recordAudit({ shop, actor, ...entry }, tx);
    return count;
  });
  if (withdrawn > 0) await startRun(shop, "catalogue", "import");
  return withdrawn;
}
