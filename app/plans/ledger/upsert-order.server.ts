/**
 * Stores what the platform reports of an order: the order, its lines and its insured units. Of the customer nothing is
 * stored unless there is something to insure.
 */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import type { DataKey } from "#app/merchants/data-key.server.ts";
import { insuredCustomerOf } from "./customer.ts";
import type { InsuredCustomer } from "./customer.ts";
import { insertUnits, insertUnitsSql, markUnwanted, newUnitsOf } from "./insert-units.server.ts";
import type { NewUnit, NewUnits, ReportOrigin } from "./insert-units.server.ts";
import { insertLeased, newLease } from "#app/plans/reconciler/working-order.server.ts";
import type { AcquiredOrder } from "#app/plans/reconciler/working-order.server.ts";
import { closeTasks, openTask, openTasks } from "#app/plans/tasks/tasks.server.ts";
import { MAX_UNITS } from "./ledger.ts";
import type { Ledger } from "./ledger.ts";
import { paymentMethod, salesChannel } from "./sales-channel.ts";
import { ERASED_CONSENT, sealConsents } from "./sealed-consent.server.ts";
import { customerDigest, openCustomer, sealCustomer } from "./sealed-customer.server.ts";

/**
 * Stores an order report with its ledger. Safe to repeat, and in any order of reports: paid and cancelled stay true,
 * units are never deleted, and only the newest report decides how many of each line are left.
 * @param takesLease the caller reconciles the order at once
 * @returns an order that is new and needs no task, under its lease
 */
export async function upsertOrder(
  shop: string,
  order: ShopOrder,
  ledger: Ledger,
  environment: "test" | "production",
  { origin, takesLease }: { origin: ReportOrigin; takesLease: boolean },
): Promise<AcquiredOrder | null> {
  const customer: ReportedCustomer | null =
    ledger.units.length > 0
      ? { key: await dataKeyOf(shop), id: order.customerId, data: insuredCustomerOf(order) }
      : null;
  const report = toOrderRow(shop, order, ledger, environment, customer);
  const units = customer === null ? [] : sealConsents(customer.key, order.id, ledger.units);
  const begin = newUnitsOf(origin, customer?.data.email ?? null);
  const hasLostUnits =
    ledger.units.length > 0 && [...ledger.keep].some(([lineId, keep]) => keep < countUnits(ledger, lineId));
  const isOrdinary =
    !hasLostUnits &&
    ledger.unitsLeftOut === 0 &&
    order.unreadableLines.length === 0 &&
    ledger.units.every(({ finding }) => finding === null);
  const inserted = isOrdinary && takesLease ? await insertNewOrder(shop, report, ledger, units, begin) : null;
  if (inserted) return inserted;
  await db.$transaction(async (tx) => {
    const { isNew, isNewest, isOwed, sealedCustomer } = await mergeOrder(tx, report);
    if (!isNew && customer !== null && sealedCustomer !== null) {
      await completeCustomer(tx, shop, order.id, sealedCustomer, customer);
    }
    const stored = Prisma.sql`(
      SELECT shop, "orderId", environment FROM "Order" WHERE shop = ${shop} AND "orderId" = ${order.id}) AS stored`;
    if (isNewest && ledger.lines.length > 0) {
      await tx.$executeRaw`${upsertLinesSql(stored, ledger)}`;
    }
    // What was added to a paid order and is not paid for yet is insured once it is.
    if (!isOwed) {
      const isErased = sealedCustomer === null;
      const insertable = units.map((unit) =>
        isErased && unit.sealedConsent !== null ? { ...unit, sealedConsent: ERASED_CONSENT } : unit,
      );
      await insertUnits(tx, shop, order.id, stored, insertable, begin);
      if (ledger.unitsLeftOut > 0) {
        const details = { leftOut: ledger.unitsLeftOut, limit: MAX_UNITS };
        await openTask({ shop, kind: "too_many_units", orderId: order.id, details }, tx);
      }
    }
    await openTasks(unreadableLineTasks(shop, order), tx);
    if (!isNew && isNewest && order.unreadableLines.length === 0) {
      await closeTasks(shop, { orderId: order.id, kind: "unreadable_line" }, "obsolete", tx);
    }
    if (isNewest && (hasLostUnits || !isNew)) await markUnwanted(tx, shop, order.id, ledger);
  });
  return null;
}

const unreadableLineTasks = (shop: string, { id, unreadableLines }: ShopOrder) =>
  unreadableLines.map(({ id: lineId, title, problem }, index) => ({
    shop,
    kind: "unreadable_line" as const,
    orderId: id,
    ...(lineId === null ? { subjectId: String(index) } : { lineId }),
    details: { title, problem },
  }));

const countUnits = (ledger: Ledger, lineId: string): number =>
  ledger.units.filter((unit) => unit.lineId === lineId).length;

interface OrderRow {
  changedAt: Date;
  isPaid: boolean;
  columns: Prisma.Sql;
  values: Prisma.Sql;
}

interface ReportedCustomer {
  key: DataKey;
  /** the platform's; null for guests, and where the report does not say */
  id: string | null;
  data: InsuredCustomer;
}

function toOrderRow(
  shop: string,
  order: ShopOrder,
  { units }: Ledger,
  environment: string,
  customer: ReportedCustomer | null,
): OrderRow {
  const sealed = customer && sealCustomer(customer.key, order.id, customer.data);
  const byId = customer && customer.id !== null ? customerDigest(customer.key, customer.id) : null;
  // Webhooks give the time of a change in whole seconds, the Admin API may be finer: they must compare.
  const changedAt = new Date(Math.floor(order.updatedAt.getTime() / 1_000) * 1_000);
  return {
    changedAt,
    isPaid: order.paid,
    columns: Prisma.sql`shop, "orderId", name, "purchasedAt", "changedAt", "paidAt", "cancelledAt", currency,
      "premiumMinor", "paymentMethod", "salesChannel", "sealedCustomer", "emailDigest", "customerDigest", environment,
      "acceptsMarketing"`,
    values: Prisma.sql`${shop}, ${order.id}, ${order.name}, ${order.createdAt}, ${changedAt},
        ${order.paid ? changedAt : null}, ${order.cancelledAt}, ${order.currency},
        ${units.reduce((sum, { premiumMinor }) => sum + premiumMinor, 0)},
        ${paymentMethod(order.gateways)}, ${salesChannel(order.sourceName, order.business)},
        ${sealed?.sealedCustomer ?? null}, ${sealed?.emailDigest ?? null}, ${byId}, ${environment},
        ${order.acceptsMarketing}`,
  };
}

/**
 * Nearly every order is new and needs no task: then all of it is stored, leased and read in one statement.
 * @returns null where the order is stored already; then nothing was written
 */
async function insertNewOrder(
  shop: string,
  { columns, values }: OrderRow,
  ledger: Ledger,
  units: NewUnit[],
  begin: NewUnits,
): Promise<AcquiredOrder | null> {
  const stored = Prisma.sql`stored`;
  const items = Prisma.sql`lines AS (${upsertLinesSql(stored, ledger)} RETURNING *),
    ${insertUnitsSql(stored, units, begin)}`;
  return insertLeased(shop, newLease(), { columns, values, items });
}

const mergedRow = z.tuple([
  z.object({
    isNew: z.boolean(),
    isNewest: z.boolean(),
    /** it was paid, and now something is to be paid again */
    isOwed: z.boolean(),
    /** as it is stored now */
    sealedCustomer: z.string().nullable(),
  }),
]);

async function mergeOrder(
  tx: Transaction,
  { changedAt, isPaid, columns, values }: OrderRow,
): Promise<z.infer<typeof mergedRow>[0]> {
  const rows = await tx.$queryRaw`
    INSERT INTO "Order" AS stored (${columns}) VALUES (${values})
    ON CONFLICT (shop, "orderId") DO UPDATE SET
      revision = stored.revision + 1,
      "changedAt" = GREATEST(stored."changedAt", excluded."changedAt"),
      "paidAt" = COALESCE(stored."paidAt", excluded."paidAt"),
      "cancelledAt" = COALESCE(stored."cancelledAt", excluded."cancelledAt"),
      "paymentMethod" = CASE WHEN stored."paidAt" IS NULL THEN excluded."paymentMethod" ELSE stored."paymentMethod" END,
      "acceptsMarketing" = stored."acceptsMarketing" AND excluded."acceptsMarketing",
      -- Units are never deleted, and what an edit added is theirs once it is paid.
      "premiumMinor" = CASE WHEN stored."paidAt" IS NOT NULL AND excluded."paidAt" IS NULL THEN stored."premiumMinor"
        ELSE GREATEST(stored."premiumMinor", excluded."premiumMinor") END,
      -- What is stored of the customer stays; what is missing in it is filled in afterwards.
      "sealedCustomer" = CASE WHEN stored."erasedAt" IS NOT NULL THEN NULL
        ELSE COALESCE(stored."sealedCustomer", excluded."sealedCustomer") END,
      "emailDigest" = CASE WHEN stored."erasedAt" IS NOT NULL THEN NULL
        ELSE COALESCE(stored."emailDigest", excluded."emailDigest") END,
      "customerDigest" = CASE WHEN stored."erasedAt" IS NOT NULL THEN NULL
        ELSE COALESCE(stored."customerDigest", excluded."customerDigest") END
    RETURNING (xmax = 0) AS "isNew", ("changedAt" = ${changedAt}) AS "isNewest", "sealedCustomer",
      ("paidAt" IS NOT NULL AND NOT ${isPaid}) AS "isOwed"`;
  return mergedRow.parse(rows)[0];
}

/** Fills in what is not known of the stored customer and this report knows. */
async function completeCustomer(
  tx: Transaction,
  shop: string,
  orderId: string,
  sealed: string,
  { key, data }: ReportedCustomer,
): Promise<void> {
  const stored = openCustomer(key, orderId, sealed);
  const known = Object.entries(stored).filter(([, value]) => value !== null);
  const completed = { ...data, ...Object.fromEntries(known) };
  const isMore = Object.values(completed).filter((value) => value !== null).length > known.length;
  if (!isMore) return;
  await tx.order.updateMany({
    where: { shop, orderId },
    data: sealCustomer(key, orderId, completed),
  });
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
