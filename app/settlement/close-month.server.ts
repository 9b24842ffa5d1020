/**
 * Closes a month: its totals and files are stored and never change. What is found later is a movement of the month in
 * which it is found. Differences are not stored: most are found only when the month is closed already.
 */
import { type Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { readMerchantSettings } from "#app/merchants/settings.server.ts";
import type { FileLanguage } from "#app/platform/csv.server.ts";
import { AppError } from "#app/platform/app-error.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { db } from "#app/platform/db.server.ts";
import { type MonthFileName, monthFiles } from "./files.server.ts";
import { monthOfDay } from "./month.ts";
import { type MonthFacts, readMonth } from "./read-month.server.ts";
import { settle, settlementTotals, type SettlementTotals } from "./settlement.ts";

export interface ClosedMonth {
  closedAt: Date;
  totals: SettlementTotals;
}

/** Null: the month is open. */
export async function readClosedMonth(
  { shop, environment }: Merchant,
  month: string,
): Promise<ClosedMonth | null> {
  const row = await db.closedMonth.findUnique({
    where: { shop_environment_month: { shop, environment, month } },
  });
  return row && { closedAt: row.closedAt, totals: settlementTotals.parse(row.settlement) };
}

/** Null: the month is open. */
export function readClosedFile({ shop, environment }: Merchant, month: string, name: MonthFileName) {
  return db.closedMonthFile.findUnique({
    where: { shop_environment_month_name: { shop, environment, month, name } },
    select: { fileName: true, content: true },
  });
}

/**
 * `not_over`: movements of the month may still come. `no_own_store`: there is an organisation token, but which of its
 * points of sale is this shop is not known, so neither are the commissions. `changed_meanwhile`: movements were written
 * again during the closing; nothing is stored, and the person tries again.
 */
export type CloseResult = "closed" | "not_over" | "closed_before" | "no_own_store" | "changed_meanwhile";

/** A rebuild replaced movements that the files hold: to mark the rest would count the replaced ones again. */
class MovementsChangedError extends AppError {
  override name = "MovementsChangedError";
}

/** Tens of thousands of movements are marked and written as files. */
const TIMEOUT_MS = 60_000;

export async function closeMonth(
  merchant: Merchant,
  month: string,
  actor: Actor,
  language: FileLanguage,
  now = new Date(),
): Promise<CloseResult> {
  const { shop, environment, timezone } = merchant;
  if (month >= monthOfDay(toLocalDay(timezone, now))) return "not_over";
  const { bookkeeping } = await readMerchantSettings(shop);
  try {
    return await db.$transaction(
      async (tx) => {
        const key = { shop, environment, month };
        const content = await readMonth(merchant, { month, storeId: null }, now, tx);
        if (content.hasOrganisation && content.own === null) return "no_own_store";
        const { count } = await tx.closedMonth.createMany({
          data: [
            {
              ...key,
              closedAt: now,
              closedBy: actor.kind === "staff" ? actor.id : actor.cause,
              settlement: settle(content.facts).totals,
            },
          ],
          skipDuplicates: true,
        });
        if (count === 0) return "closed_before";
        const files = await monthFiles(content.facts, bookkeeping, language);
        await tx.closedMonthFile.createMany({
          data: files.map(({ name, fileName, content: bytes }) => ({
            ...key,
            name,
            fileName,
            content: new Uint8Array(bytes),
          })),
        });
        await markMovements(tx, key, content);
        await recordAudit({ shop, actor, action: "month_closed", subject: month }, tx);
        return "closed";
      },
      { timeout: TIMEOUT_MS },
    );
  } catch (error) {
    if (error instanceof MovementsChangedError) return "changed_meanwhile";
    throw error;
  }
}

/**
 * What the files hold is marked, so that exactly the rest is found later.
 * @throws MovementsChangedError, so that the month stays open
 */
async function markMovements(
  tx: Parameters<typeof readMonth>[3] & object,
  { shop, environment, month }: { shop: string; environment: string; month: string },
  { facts }: MonthFacts,
): Promise<void> {
  const ids = facts.movements.map(({ id }) => id);
  const marked = await tx.$executeRaw`
    UPDATE "PremiumMovement" SET "closedIn" = ${month} WHERE shop = ${shop} AND id = ANY(${ids}::bigint[])`;
  if (marked !== ids.length)
    throw new MovementsChangedError(
      `Failed to close ${month} of ${shop}: ${ids.length - marked} movements were written again meanwhile`,
    );
  const commissions = (facts.insurer?.counted ?? []).map(({ commission, amountMinor }) => ({
    commissionId: commission.commissionId,
    amountMinor,
  }));
  await tx.$executeRaw`
    INSERT INTO "ClosedCommission" (shop, environment, "commissionId", "closedMinor")
    SELECT ${shop}, ${environment}, row."commissionId", row."amountMinor"
    FROM jsonb_to_recordset(${JSON.stringify(commissions)}::jsonb) AS row ("commissionId" text, "amountMinor" int)
    ON CONFLICT (shop, environment, "commissionId")
    DO UPDATE SET "closedMinor" = "ClosedCommission"."closedMinor" + excluded."closedMinor"`;
}
