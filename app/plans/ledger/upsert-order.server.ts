/** Takes in what the platform says of an order. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import { customerOf } from "./customer.ts";
import { unitsToEnd } from "./ledger.ts";
import type { Ledger, LedgerUnit } from "./ledger.ts";
import { paymentMethod, salesChannel } from "./sales-channel.ts";
import { openTasks } from "#app/plans/tasks/tasks.server.ts";

/**
 * Takes in a report of an order: its facts, its lines, and one unit per insured piece. Safe to repeat, and in any
 * order of reports: paid and cancelled stay true, units are never taken back, and only the newest report decides what
 * is left of the quantities.
 */
export async function takeIn(
  shop: string,
  order: ShopOrder,
  ledger: Ledger,
  environment: "test" | "production",
): Promise<void> {
  const report = reported(shop, order, environment);
  const lost =
    ledger.units.length > 0 && [...ledger.keep].some(([lineId, keep]) => keep < pieces(ledger, lineId));
  const asIsUsual = !lost && ledger.units.every(({ finding }) => finding === null);
  if (asIsUsual && (await takeInNew(report, ledger))) return;
  await db.$transaction(async (transaction) => {
    const { isNew, isNewest, isOwed } = await merge(transaction, report);
    const known = Prisma.sql`(VALUES (${shop}, ${order.id})) AS known (shop, "orderId")`;
    if (isNewest && ledger.lines.length > 0) await transaction.$executeRaw`${linesOf(known, ledger)}`;
    // What was added to a paid order and is not paid for yet is insured once it is.
    if (!isOwed) await writeUnits(transaction, shop, order.id, known, ledger.units);
    if (isNewest && (lost || !isNew)) await endUnits(transaction, shop, order.id, ledger.keep);
  });
}

const pieces = (ledger: Ledger, lineId: string): number =>
  ledger.units.filter((unit) => unit.lineId === lineId).length;

interface Report {
  changedAt: Date;
  isPaid: boolean;
  /** the row's columns and its values */
  row: Prisma.Sql;
}

function reported(shop: string, order: ShopOrder, environment: string): Report {
  const customer = customerOf(order);
  // Webhooks tell the time of a change in whole seconds, the Admin API may be finer: they must compare.
  const changedAt = new Date(Math.floor(order.updatedAt.getTime() / 1_000) * 1_000);
  return {
    changedAt,
    isPaid: order.paid,
    row: Prisma.sql`(shop, "orderId", name, "purchasedAt", "changedAt", "paidAt", "cancelledAt", currency,
        "paymentMethod", "salesChannel", customer, email, environment)
      VALUES (${shop}, ${order.id}, ${order.name}, ${order.createdAt}, ${changedAt},
        ${order.paid ? changedAt : null}, ${order.cancelledAt}, ${order.currency},
        ${paymentMethod(order.gateways)}, ${salesChannel(order.sourceName, order.business)},
        ${JSON.stringify(customer)}::jsonb, ${customer.email?.toLowerCase() ?? null}, ${environment})`,
  };
}

/**
 * Nearly every order is new and there is nothing to ask about it: then all of it is one statement.
 * @returns false where the order is known already; then nothing was written
 */
async function takeInNew({ row }: Report, ledger: Ledger): Promise<boolean> {
  const known = Prisma.sql`known`;
  const rows = await db.$queryRaw`
    WITH known AS (
      INSERT INTO "Order" ${row} ON CONFLICT DO NOTHING RETURNING shop, "orderId"
    ), lines AS (${linesOf(known, ledger)}), ${bornOf(known, ledger.units)}
    SELECT "orderId" FROM known`;
  return z.array(z.unknown()).parse(rows).length > 0;
}

const merged = z.tuple([
  z.object({
    isNew: z.boolean(),
    isNewest: z.boolean(),
    /** it was paid, and now something is to be paid again */
    isOwed: z.boolean(),
  }),
]);

async function merge(
  transaction: Transaction,
  { changedAt, isPaid, row }: Report,
): Promise<z.infer<typeof merged>[0]> {
  const rows = await transaction.$queryRaw`
    INSERT INTO "Order" AS known ${row}
    ON CONFLICT (shop, "orderId") DO UPDATE SET
      facts = known.facts + 1,
      "changedAt" = GREATEST(known."changedAt", excluded."changedAt"),
      "paidAt" = COALESCE(known."paidAt", excluded."paidAt"),
      "cancelledAt" = COALESCE(known."cancelledAt", excluded."cancelledAt"),
      "paymentMethod" = CASE WHEN known."paidAt" IS NULL THEN excluded."paymentMethod" ELSE known."paymentMethod" END,
      -- What is known of the customer stays; what was missing is filled in.
      customer = CASE WHEN known.erased THEN NULL
        ELSE excluded.customer || jsonb_strip_nulls(COALESCE(known.customer, '{}')) END,
      email = CASE WHEN known.erased THEN NULL ELSE COALESCE(known.email, excluded.email) END
    RETURNING (xmax = 0) AS "isNew", ("changedAt" = ${changedAt}) AS "isNewest",
      ("paidAt" IS NOT NULL AND NOT ${isPaid}) AS "isOwed"`;
  return merged.parse(rows)[0];
}

/** @param known the order, as a source of one row */
function linesOf(known: Prisma.Sql, { lines }: Ledger): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO "OrderLine" (shop, "orderId", "lineId", "productId", "variantId", title, quantity, "currentQuantity",
      "priceMinor", currency, "categoryId", "insuranceOffered", "insuranceSelected", "offeredAt")
    SELECT known.shop, known."orderId", line.*
    FROM ${known}, jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS line("lineId" text, "productId" text,
      "variantId" text, title text, quantity int, "currentQuantity" int, "priceMinor" int, currency text,
      "categoryId" text, "insuranceOffered" boolean, "insuranceSelected" boolean, "offeredAt" text)
    ON CONFLICT (shop, "orderId", "lineId") DO UPDATE SET
      quantity = excluded.quantity, "currentQuantity" = excluded."currentQuantity"`;
}

/** The units that are not there yet, with the first line of their history, as parts of a WITH: `born`, `written`. */
function bornOf(known: Prisma.Sql, units: LedgerUnit[]): Prisma.Sql {
  const rows = units.map(({ insured, finding, ...unit }) => ({
    ...unit,
    state: finding === null ? "pending" : "attention",
    reason: finding,
    insuredLineId: insured?.lineId ?? null,
    insuredVariantId: insured?.variantId ?? null,
    insuredTitle: insured?.title ?? null,
    insuredPriceMinor: insured?.priceMinor ?? null,
    insuredCurrency: insured?.currency ?? null,
  }));
  return Prisma.sql`born AS (
      INSERT INTO "InsuredUnit" (shop, "orderId", "lineId", unit, state, reason, "offerReferenceId", "planVariantId",
        "planTitle", "premiumMinor", currency, "termMonths", "insuredLineId", "insuredVariantId", "insuredTitle",
        "insuredPriceMinor", "insuredCurrency", touchpoint, consent)
      SELECT known.shop, known."orderId", u.*
      FROM ${known}, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS u("lineId" text, unit int, state text,
        reason text, "offerReferenceId" text, "planVariantId" text, "planTitle" text, "premiumMinor" int,
        currency text, "termMonths" int, "insuredLineId" text, "insuredVariantId" text, "insuredTitle" text,
        "insuredPriceMinor" int, "insuredCurrency" text, touchpoint text, consent text)
      ON CONFLICT DO NOTHING
      RETURNING *
    ), written AS (
      INSERT INTO "UnitHistory" (shop, "orderId", "lineId", unit, after, cause, attempt, note)
      SELECT shop, "orderId", "lineId", unit, state, 'paid_for', 0, reason FROM born
    )`;
}

const bornRows = z.array(z.object({ lineId: z.string(), unit: z.int() }));

/** Units are born once; what is wrong with one is asked of the merchant at its birth and never again. */
async function writeUnits(
  transaction: Transaction,
  shop: string,
  orderId: string,
  known: Prisma.Sql,
  units: LedgerUnit[],
): Promise<void> {
  if (units.length === 0) return;
  const born = bornRows.parse(
    await transaction.$queryRaw`WITH ${bornOf(known, units)} SELECT "lineId", unit FROM born`,
  );
  const isBorn = new Set(born.map(({ lineId, unit }) => `${lineId} ${unit}`));
  const tasks = units.flatMap(({ lineId, unit, finding, insured, ...plan }) => {
    if (finding === null || !isBorn.has(`${lineId} ${unit}`)) return [];
    const { planTitle, offerReferenceId, premiumMinor, currency } = plan;
    const insuredTitle = insured?.title ?? null;
    const details = { finding, planTitle, insuredTitle, offerReferenceId, premiumMinor, currency };
    return [{ shop, kind: "check_plan" as const, orderId, lineId, unit, details }];
  });
  await openTasks(tasks, transaction);
}

/** Marks the units that are not to be insured any more: refunded, or edited away. */
async function endUnits(
  transaction: Transaction,
  shop: string,
  orderId: string,
  keep: ReadonlyMap<string, number>,
): Promise<void> {
  const known = await transaction.insuredUnit.findMany({
    where: { shop, orderId },
    select: { lineId: true, unit: true, wanted: true, contractId: true },
  });
  for (const [lineId, left] of keep) {
    const ending = unitsToEnd(
      known.filter((unit) => unit.lineId === lineId),
      left,
    );
    if (ending.length === 0) continue;
    await transaction.insuredUnit.updateMany({
      where: { shop, orderId, lineId, unit: { in: ending } },
      data: { wanted: false },
    });
  }
}
