/** Adds an order's insured units to the ledger, and marks those that are not to be insured any more. */
import { z } from "zod";
import type { Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { closeTasksBySubject, openTasks } from "#app/plans/tasks/tasks.server.ts";
import type { NewTask } from "#app/plans/tasks/tasks.server.ts";
import { unitsTaken, unitsToEnd } from "./ledger.ts";
import type { Ledger, LedgerUnit } from "./ledger.ts";
import type { HistoryCause } from "./unit-states.ts";

/**
 * Where a report of an order comes from. What the platform delivers is new. What was read in the shop may be older than
 * the ledger: after a restored backup the service may have plans of units that the ledger lacks.
 */
export type ReportOrigin = "delivered" | "read";

/** A unit whose consent in words is sealed. */
export type NewUnit = LedgerUnit & { sealedConsent: string | null };

/** How new units begin. Units that may have a plan already are looked up before anything is created. */
export interface NewUnits {
  state: "pending" | "unknown";
  cause: Extract<HistoryCause, "paid_for" | "read_in_shop">;
}

/** Without an e-mail address nothing can be looked up, and nothing can be created. */
export function newUnitsOf(origin: ReportOrigin, email: string | null): NewUnits {
  if (origin === "delivered") return { state: "pending", cause: "paid_for" };
  return { state: email === null ? "pending" : "unknown", cause: "read_in_shop" };
}

/**
 * Inserts the units that are not stored yet, with their first line of history, as parts of a WITH: `inserted`,
 * `written`.
 * @param stored the order, as a source of one row
 */
export function insertUnitsSql(stored: Prisma.Sql, units: NewUnit[], { state, cause }: NewUnits): Prisma.Sql {
  const rows = units.map(({ insured, finding, ...unit }) => ({
    ...unit,
    state: finding === null ? state : "attention",
    reason: finding,
    insuredLineId: insured?.lineId ?? null,
    insuredVariantId: insured?.variantId ?? null,
    insuredTitle: insured?.title ?? null,
    insuredPriceMinor: insured?.priceMinor ?? null,
    insuredCurrency: insured?.currency ?? null,
  }));
  return Prisma.sql`inserted AS (
      INSERT INTO "InsuredUnit" (shop, "orderId", environment, "lineId", "unitNumber", state, reason, "offerReferenceId",
        "planVariantId", "planTitle", "offerPriceMinor", "premiumMinor", currency, "termMonths", "insuredLineId", "insuredVariantId",
        "insuredTitle", "insuredPriceMinor", "insuredCurrency", touchpoint, consent, "sealedConsent")
      SELECT stored.shop, stored."orderId", stored.environment, u.*
      FROM ${stored}, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS u("lineId" text, "unitNumber" int,
        state text, reason text, "offerReferenceId" text, "planVariantId" text, "planTitle" text,
        "offerPriceMinor" int, "premiumMinor" int, currency text, "termMonths" int, "insuredLineId" text, "insuredVariantId" text,
        "insuredTitle" text, "insuredPriceMinor" int, "insuredCurrency" text, touchpoint text, consent text, "sealedConsent" text)
      ON CONFLICT DO NOTHING
      RETURNING *
    ), written AS (
      INSERT INTO "UnitHistory" (shop, "orderId", "lineId", "unitNumber", after, cause, attempt, note)
      SELECT shop, "orderId", "lineId", "unitNumber", state, ${cause}, 0, reason FROM inserted
    )`;
}

const insertedRows = z.array(z.object({ lineId: z.string(), unitNumber: z.int() }));

/** Inserts what is new. A unit with a finding opens its task now, and never again. */
export async function insertUnits(
  tx: Transaction,
  shop: string,
  orderId: string,
  stored: Prisma.Sql,
  units: NewUnit[],
  begin: NewUnits,
): Promise<void> {
  if (units.length === 0) return;
  const inserted = insertedRows.parse(
    await tx.$queryRaw`
      WITH ${insertUnitsSql(stored, units, begin)} SELECT "lineId", "unitNumber" FROM inserted`,
  );
  const isNew = new Set(inserted.map(({ lineId, unitNumber }) => `${lineId} ${unitNumber}`));
  const tasks = units.flatMap(({ lineId, unitNumber, finding, insured, ...plan }) => {
    if (finding === null || !isNew.has(`${lineId} ${unitNumber}`)) return [];
    const { planTitle, offerReferenceId, premiumMinor, currency } = plan;
    const insuredTitle = insured?.title ?? null;
    const details = { finding, planTitle, insuredTitle, offerReferenceId, premiumMinor, currency };
    return [{ shop, kind: "check_plan" as const, orderId, lineId, unitNumber, details }];
  });
  await openTasks(tasks, tx);
}

/**
 * Marks the units that are not to be insured any more: refunded, removed by an edit, or their product was returned. In the
 * last case the customer still pays for ended cover: a task names the amount until the unit's own line is refunded.
 */
export async function markUnwanted(
  tx: Transaction,
  shop: string,
  orderId: string,
  { keep, left }: Pick<Ledger, "keep" | "left">,
): Promise<void> {
  const stored = await tx.insuredUnit.findMany({
    where: { shop, orderId },
    select: {
      ...{ lineId: true, unitNumber: true, wanted: true, endedInOrder: true, contractId: true },
      ...{ planTitle: true, insuredTitle: true, premiumMinor: true, currency: true },
    },
  });
  const kept: NewTask<"premium_kept">[] = [];
  const refunded: string[] = [];
  for (const [lineId, toInsure] of keep) {
    const units = stored.filter((unit) => unit.lineId === lineId);
    const taken = unitsTaken(units, left.get(lineId) ?? units.length);
    const present = units.filter(({ unitNumber }) => !taken.includes(unitNumber));
    const ended = unitsToEnd(present, toInsure);
    for (const unit of units) {
      const { unitNumber, planTitle, insuredTitle, premiumMinor, currency } = unit;
      const subjectId = `${lineId}-${unitNumber}`;
      const details = { planTitle, insuredTitle, premiumMinor, currency };
      if (taken.includes(unitNumber)) refunded.push(subjectId);
      else if (ended.includes(unitNumber) && unit.wanted && premiumMinor > 0)
        kept.push({ shop, kind: "premium_kept", orderId, details, subjectId });
    }
    for (const [unitNumbers, endedInOrder] of [[taken, false] as const, [ended, true] as const]) {
      if (unitNumbers.length === 0) continue;
      await tx.insuredUnit.updateMany({
        where: { shop, orderId, lineId, unitNumber: { in: unitNumbers } },
        data: { wanted: false, endedInOrder },
      });
    }
  }
  await openTasks(kept, tx);
  await closeTasksBySubject(tx, { shop, kind: "premium_kept", orderId, subjectIds: refunded });
}
