/** Stores what the platform reports of an order: the order, its lines and its insured units. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import { insuredCustomerOf } from "./customer.ts";
import { insertUnits, insertUnitsSql, markUnwanted } from "./insert-units.server.ts";
import { openTask } from "#app/plans/tasks/tasks.server.ts";
import { MAX_UNITS } from "./ledger.ts";
import type { Ledger } from "./ledger.ts";
import { paymentMethod, salesChannel } from "./sales-channel.ts";

/**
 * Stores an order report with its ledger. Safe to repeat, and in any order of reports: paid and cancelled stay true,
 * units are never deleted, and only the newest report decides how many of each line are left.
 */
export async function upsertOrder(
  shop: string,
  order: ShopOrder,
  ledger: Ledger,
  environment: "test" | "production",
): Promise<void> {
  const report = toOrderRow(shop, order, environment);
  const hasLostUnits =
    ledger.units.length > 0 && [...ledger.keep].some(([lineId, keep]) => keep < countUnits(ledger, lineId));
  const isOrdinary =
    !hasLostUnits && ledger.unitsLeftOut === 0 && ledger.units.every(({ finding }) => finding === null);
  if (isOrdinary && (await insertNewOrder(report, ledger))) return;
  await db.$transaction(async (transaction) => {
    const { isNew, isNewest, isOwed } = await mergeOrder(transaction, report);
    const stored = Prisma.sql`(VALUES (${shop}, ${order.id})) AS stored (shop, "orderId")`;
    if (isNewest && ledger.lines.length > 0) {
      await transaction.$executeRaw`${upsertLinesSql(stored, ledger)}`;
    }
    // What was added to a paid order and is not paid for yet is insured once it is.
    if (!isOwed) {
      await insertUnits(transaction, shop, order.id, stored, ledger.units);
      if (ledger.unitsLeftOut > 0) {
        const details = { leftOut: ledger.unitsLeftOut, limit: MAX_UNITS };
        await openTask({ shop, kind: "too_many_units", orderId: order.id, details }, transaction);
      }
    }
    if (isNewest && (hasLostUnits || !isNew)) await markUnwanted(transaction, shop, order.id, ledger.keep);
  });
}

const countUnits = (ledger: Ledger, lineId: string): number =>
  ledger.units.filter((unit) => unit.lineId === lineId).length;

interface OrderRow {
  changedAt: Date;
  isPaid: boolean;
  /** the row's columns and its values */
  row: Prisma.Sql;
}

function toOrderRow(shop: string, order: ShopOrder, environment: string): OrderRow {
  const customer = insuredCustomerOf(order);
  // Webhooks give the time of a change in whole seconds, the Admin API may be finer: they must compare.
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
 * Nearly every order is new and needs no task: then all of it is one statement.
 * @returns false where the order is stored already; then nothing was written
 */
async function insertNewOrder({ row }: OrderRow, ledger: Ledger): Promise<boolean> {
  const stored = Prisma.sql`stored`;
  const rows = await db.$queryRaw`
    WITH stored AS (
      INSERT INTO "Order" ${row} ON CONFLICT DO NOTHING RETURNING shop, "orderId"
    ), lines AS (${upsertLinesSql(stored, ledger)}), ${insertUnitsSql(stored, ledger.units)}
    SELECT "orderId" FROM stored`;
  return z.array(z.unknown()).parse(rows).length > 0;
}

const mergedRow = z.tuple([
  z.object({
    isNew: z.boolean(),
    isNewest: z.boolean(),
    /** it was paid, and now something is to be paid again */
    isOwed: z.boolean(),
  }),
]);

async function mergeOrder(
  transaction: Transaction,
  { changedAt, isPaid, row }: OrderRow,
): Promise<z.infer<typeof mergedRow>[0]> {
  const rows = await transaction.$queryRaw`
    INSERT INTO "Order" AS stored ${row}
    ON CONFLICT (shop, "orderId") DO UPDATE SET
      revision = stored.revision + 1,
      "changedAt" = GREATEST(stored."changedAt", excluded."changedAt"),
      "paidAt" = COALESCE(stored."paidAt", excluded."paidAt"),
      "cancelledAt" = COALESCE(stored."cancelledAt", excluded."cancelledAt"),
      "paymentMethod" = CASE WHEN stored."paidAt" IS NULL THEN excluded."paymentMethod" ELSE stored."paymentMethod" END,
      -- What is stored of the customer stays; what was missing is filled in.
      customer = CASE WHEN stored.erased THEN NULL
        ELSE excluded.customer || jsonb_strip_nulls(COALESCE(stored.customer, '{}')) END,
      email = CASE WHEN stored.erased THEN NULL ELSE COALESCE(stored.email, excluded.email) END
    RETURNING (xmax = 0) AS "isNew", ("changedAt" = ${changedAt}) AS "isNewest",
      ("paidAt" IS NOT NULL AND NOT ${isPaid}) AS "isOwed"`;
  return mergedRow.parse(rows)[0];
}

/** @param stored the order, as a source of one row */
function upsertLinesSql(stored: Prisma.Sql, { lines }: Ledger): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO "OrderLine" (shop, "orderId", "lineId", "productId", "variantId", title, quantity, "currentQuantity",
      "priceMinor", currency, "categoryId", "insuranceOffered", "insuranceSelected", "offeredAt")
    SELECT stored.shop, stored."orderId", line.*
    FROM ${stored}, jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS line("lineId" text, "productId" text,
      "variantId" text, title text, quantity int, "currentQuantity" int, "priceMinor" int, currency text,
      "categoryId" text, "insuranceOffered" boolean, "insuranceSelected" boolean, "offeredAt" text)
    ON CONFLICT (shop, "orderId", "lineId") DO UPDATE SET
      quantity = excluded.quantity, "currentQuantity" = excluded."currentQuantity"`;
}
