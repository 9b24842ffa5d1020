/**
 * Stores what Shopify reports of an order: the order, its lines and its insured items. Of the customer nothing is
 * stored unless there is something to insure.
 */
import { z } from "zod";
import { type DataKey, dataKeyOf } from "#app/merchants/data-key.server.ts";
import { paymentMethod, salesChannel, type SalesRecordStatus } from "#app/orders/sales-record.ts";
import { settleCheckTasks } from "#app/orders/tasks/check-tasks.server.ts";
import { closeOtherTasks, closeTasks, openTask, openTasks } from "#app/orders/tasks/tasks.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { readLanguage } from "#app/platform/locale.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import type { OrderChange } from "#app/shopify/payloads/order-changes.ts";
import { type InsuredCustomer, insuredCustomerOf } from "./customer.ts";
import { type Ledger, type LedgerItem, MAX_ITEMS } from "./ledger.ts";
import { findStoredSurplus, openPaidBackTask, settleOrder } from "./settle-order.server.ts";
import { customerDigest, ERASED_CONSENT, openCustomer, sealConsents, sealCustomer } from "./sealed.server.ts";
import { worseFinding, type HistoryCause } from "./item-states.ts";

/**
 * Stores an order report with its ledger. Safe to repeat, and in any order of reports: paid and cancelled stay true,
 * items are never deleted, and only the newest report decides how many of each line are left.
 */
export async function upsertOrder(
  shop: string,
  order: ShopOrder,
  ledger: Ledger,
  environment: "test" | "production",
  origin: ReportOrigin,
): Promise<void> {
  const customer: ReportedCustomer | null =
    ledger.items.length > 0
      ? { key: await dataKeyOf(shop), id: order.customerId, data: insuredCustomerOf(order) }
      : null;
  const report = toOrderRow(shop, order, ledger, { environment, origin }, customer);
  const items = customer === null ? [] : sealConsents(customer.key, order.id, ledger.items);
  const initialState = newItemsOf(origin, customer?.data.email ?? null);
  const hasLostItems =
    ledger.items.length > 0 &&
    order.lines.some(({ quantity, currentQuantity }) => currentQuantity < quantity);
  await db.$transaction(async (tx) => {
    const { isNew, isNewest, hasOpenBalance, sealedCustomer } = await mergeOrder(tx, report);
    if (!isNew && customer !== null && sealedCustomer !== null) {
      await completeCustomer(tx, shop, order.id, sealedCustomer, customer);
    }
    if (isNewest) await upsertLines(tx, shop, order.id, ledger);
    // What was added to a paid order and is not paid for yet is insured once it is.
    if (!hasOpenBalance) {
      const isErased = sealedCustomer === null;
      const surplus = isNew || items.length === 0 ? [] : await findStoredSurplus(tx, shop, order.id, ledger);
      const isSurplus = ({ lineId, itemNumber }: NewItem) =>
        surplus.some((each) => each.lineId === lineId && each.itemNumber === itemNumber);
      const insertable = items.map((item) => ({
        ...item,
        sealedConsent: isErased && item.sealedConsent !== null ? ERASED_CONSENT : item.sealedConsent,
        finding: isSurplus(item) ? worseFinding(item.finding, "more_plans_than_products") : item.finding,
      }));
      await insertItems(tx, shop, order.id, insertable, initialState);
      if (ledger.itemsLeftOut > 0) {
        const details = { leftOut: ledger.itemsLeftOut, limit: MAX_ITEMS };
        await openTask({ shop, kind: "too_many_items", orderId: order.id, details }, tx);
      }
    }
    await openUnknownLineTasks(tx, shop, order.id, ledger);
    await openTasks(unreadableLineTasks(shop, order), tx);
    if (!isNew && isNewest && order.unreadableLines.length === 0) {
      await closeTasks(shop, { orderId: order.id, kind: "unreadable_line" }, "obsolete", tx);
      // A line without items is not among them.
      const unknown = ledger.unknownPlanLines.map(
        ({ lineId }) => ({ kind: "unknown_plan_line", subjectId: lineId }) as const,
      );
      await closeOtherTasks(tx, { shop, orderId: order.id, kinds: ["unknown_plan_line"] }, unknown);
    }
    if (isNewest && (hasLostItems || order.cancelledAt !== null || !isNew))
      await settleOrder(tx, shop, order.id, ledger.left);
    if (isNewest && order.isPaidBack && order.cancelledAt === null)
      await openPaidBackTask(tx, shop, order.id, null);
  });
}

/**
 * One task for a line, whatever its quantity: a property is free, and must not bury the tasks of others. None for a line
 * that was known when it was paid: Shopify forgets the variant of a product that the shop deletes.
 */
async function openUnknownLineTasks(
  tx: Transaction,
  shop: string,
  orderId: string,
  { unknownPlanLines }: Ledger,
): Promise<void> {
  if (unknownPlanLines.length === 0) return;
  const lineIds = unknownPlanLines.map(({ lineId }) => lineId);
  const known = await tx.insuredItem.findMany({
    where: { shop, orderId, lineId: { in: lineIds } },
    select: { lineId: true },
  });
  const tasks = unknownPlanLines
    .filter(({ lineId }) => !known.some((item) => item.lineId === lineId))
    .map(({ lineId, title, quantity, paidMinor: premiumMinor, currency }) => ({
      shop,
      kind: "unknown_plan_line" as const,
      orderId,
      lineId,
      details: { title, quantity, premiumMinor, currency },
    }));
  await openTasks(tasks, tx, { once: true });
}

const unreadableLineTasks = (shop: string, { id, unreadableLines }: ShopOrder) =>
  unreadableLines.map(({ id: lineId, title, problem }, index) => ({
    shop,
    kind: "unreadable_line" as const,
    orderId: id,
    ...(lineId === null ? { subjectId: String(index) } : { lineId }),
    details: { title, problem },
  }));

interface OrderRow {
  changedAt: Date;
  isPaid: boolean;
  columns: Prisma.Sql;
  values: Prisma.Sql;
}

interface ReportedCustomer {
  key: DataKey;
  /** Shopify's; null for guests, and where the report does not say */
  id: string | null;
  data: InsuredCustomer;
}

function toOrderRow(
  shop: string,
  order: ShopOrder,
  { items }: Ledger,
  { environment, origin }: { environment: string; origin: ReportOrigin },
  customer: ReportedCustomer | null,
): OrderRow {
  const sealed = customer && sealCustomer(customer.key, order.id, customer.data);
  const byId = customer && customer.id !== null ? customerDigest(customer.key, customer.id) : null;
  // Webhooks give the time of a change in whole seconds, the Admin API may be finer: they must compare.
  const changedAt = new Date(Math.floor(order.updatedAt.getTime() / 1_000) * 1_000);
  // What is delivered is told when it is paid; what is read may have been paid long before its last change.
  const paidAt = origin === "delivered" ? changedAt : order.createdAt;
  const salesRecordStatus: SalesRecordStatus =
    order.test && environment === "production" ? "test_order" : "none";
  return {
    changedAt,
    isPaid: order.paid,
    columns: Prisma.sql`shop, "orderId", name, "purchasedAt", "changedAt", "paidAt", "cancelledAt", currency,
      "premiumMinor", "paymentMethod", "salesChannel", "sealedCustomer", "emailDigest", "customerDigest", environment,
      "acceptsMarketing", language, "salesRecordStatus"`,
    values: Prisma.sql`${shop}, ${order.id}, ${order.name}, ${order.createdAt}, ${changedAt},
        ${order.paid ? paidAt : null}, ${order.cancelledAt}, ${order.currency},
        ${items.reduce((sum, { premiumMinor }) => sum + premiumMinor, 0)},
        ${paymentMethod(order.gateways)}, ${salesChannel(order.sourceName, order.business)},
        ${sealed?.sealedCustomer ?? null}, ${sealed?.emailDigest ?? null}, ${byId}, ${environment},
        ${order.acceptsMarketing}, ${readLanguage(order.language)}, ${salesRecordStatus}`,
  };
}

const mergedRow = z.tuple([
  z.object({
    isNew: z.boolean(),
    isNewest: z.boolean(),
    /** it was paid, and now something is to be paid again */
    hasOpenBalance: z.boolean(),
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
      language = COALESCE(stored.language, excluded.language),
      "changedAt" = GREATEST(stored."changedAt", excluded."changedAt"),
      "paidAt" = COALESCE(stored."paidAt", CASE WHEN ${isPaid} THEN excluded."changedAt" END),
      "cancelledAt" = COALESCE(stored."cancelledAt", excluded."cancelledAt"),
      "hasOpenBalance" = CASE WHEN excluded."changedAt" >= stored."changedAt"
        THEN stored."paidAt" IS NOT NULL AND NOT ${isPaid} ELSE stored."hasOpenBalance" END,
      "paymentMethod" = CASE WHEN stored."paidAt" IS NULL THEN excluded."paymentMethod" ELSE stored."paymentMethod" END,
      "acceptsMarketing" = stored."acceptsMarketing" AND excluded."acceptsMarketing",
      -- Items are never deleted, and what an edit added is theirs once it is paid.
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
      ("paidAt" IS NOT NULL AND NOT ${isPaid}) AS "hasOpenBalance"`;
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

/** The order as a source of one row. */
const storedOrder = (shop: string, orderId: string) => Prisma.sql`(
  SELECT shop, "orderId", environment FROM "Order" WHERE shop = ${shop} AND "orderId" = ${orderId}) AS stored`;

/** What was sent stays sent: an order that is paid and handed over in one second has two reports of that second. */
async function upsertLines(tx: Transaction, shop: string, orderId: string, { lines }: Ledger): Promise<void> {
  if (lines.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO "OrderLine" AS known (shop, "orderId", "lineId", "pairId", "productId", "variantId", title, quantity, "currentQuantity",
      "fulfilledQuantity", "requiresShipping", "listPriceMinor", "priceMinor", currency, "categoryId", "insuranceOffered",
      "insuranceSelected", "offeredAt", "addedLater")
    SELECT stored.shop, stored."orderId", line.*, EXISTS (
      SELECT FROM "OrderLine" AS first WHERE first.shop = stored.shop AND first."orderId" = stored."orderId")
    FROM ${storedOrder(shop, orderId)}, jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS line("lineId" text, "pairId" text, "productId" text,
      "variantId" text, title text, quantity int, "currentQuantity" int, "fulfilledQuantity" int,
      "requiresShipping" boolean, "listPriceMinor" int, "priceMinor" int, currency text,
      "categoryId" text, "insuranceOffered" boolean, "insuranceSelected" boolean, "offeredAt" text)
    ON CONFLICT (shop, "orderId", "lineId") DO UPDATE SET
      "pairId" = excluded."pairId", quantity = excluded.quantity, "currentQuantity" = excluded."currentQuantity",
      "fulfilledQuantity" = LEAST(excluded."currentQuantity",
        GREATEST(known."fulfilledQuantity", excluded."fulfilledQuantity"))`;
}

/**
 * Where a report of an order comes from. What Shopify delivers is new. What was read in the shop may be older than
 * the ledger: after a restored backup the insurer may have plans of items that the ledger lacks.
 */
export type ReportOrigin = "delivered" | "read";

/** An item whose consent in words is sealed. */
type NewItem = LedgerItem & { sealedConsent: string | null };

/** How new items begin. Items that may have a plan already are looked up before anything is created. */
interface NewItems {
  state: "pending" | "unknown";
  cause: Extract<HistoryCause, "paid_for" | "read_in_shop">;
}

/** Without an e-mail address nothing can be looked up, and nothing can be created. */
function newItemsOf(origin: ReportOrigin, email: string | null): NewItems {
  if (origin === "delivered") return { state: "pending", cause: "paid_for" };
  return { state: email === null ? "pending" : "unknown", cause: "read_in_shop" };
}

/** Inserts the items that are not stored yet, with their first line of history, and opens the tasks about their findings. */
async function insertItems(
  tx: Transaction,
  shop: string,
  orderId: string,
  items: NewItem[],
  { state, cause }: NewItems,
): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map(({ insured, finding, ...item }) => ({
    ...item,
    state: finding === null ? state : "attention",
    reason: finding,
    insuredLineId: insured?.lineId ?? null,
    insuredVariantId: insured?.variantId ?? null,
    insuredTitle: insured?.title ?? null,
    insuredPriceMinor: insured?.priceMinor ?? null,
    insuredCurrency: insured?.currency ?? null,
  }));
  await tx.$executeRaw`
    WITH inserted AS (
      INSERT INTO "InsuredItem" (shop, "orderId", environment, "lineId", "itemNumber", state, reason, "offerReferenceId",
        "planVariantId", "planTitle", "offerPriceMinor", "premiumMinor", currency, "termMonths", "insuredLineId", "insuredVariantId",
        "insuredTitle", "insuredPriceMinor", "insuredCurrency", touchpoint, consent, "sealedConsent", "conditionsUrl", "ipidUrl")
      SELECT stored.shop, stored."orderId", stored.environment, u.*, c.legal->>'conditionsUrl', c.legal->>'ipidUrl'
      FROM ${storedOrder(shop, orderId)} CROSS JOIN jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS u("lineId" text, "itemNumber" int,
        state text, reason text, "offerReferenceId" text, "planVariantId" text, "planTitle" text,
        "offerPriceMinor" int, "premiumMinor" int, currency text, "termMonths" int, "insuredLineId" text, "insuredVariantId" text,
        "insuredTitle" text, "insuredPriceMinor" int, "insuredCurrency" text, touchpoint text, consent text, "sealedConsent" text)
        LEFT JOIN "Reference" AS r ON r.shop = stored.shop AND r.environment = stored.environment
          AND r."referenceId" = u."offerReferenceId"
        LEFT JOIN "Category" AS c ON c.shop = r.shop AND c.environment = r.environment
          AND c."categoryId" = r."categoryId"
      ON CONFLICT DO NOTHING
      RETURNING *
    )
    INSERT INTO "ItemHistory" (shop, "orderId", "lineId", "itemNumber", after, cause, attempt, note)
    SELECT shop, "orderId", "lineId", "itemNumber", state, ${cause}, 0, reason FROM inserted`;
  if (items.some(({ finding }) => finding !== null)) await settleCheckTasks(tx, shop, orderId);
}

/** Remembers that a report of the whole order held this change. */
export function noteOrderChange(shop: string, orderId: string, change: OrderChange): Promise<void> {
  return db.$transaction((tx) => noteChange(tx, shop, orderId, change));
}

async function noteChange(
  tx: Transaction,
  shop: string,
  orderId: string,
  change: OrderChange,
): Promise<void> {
  const noted = await tx.$executeRaw`
    UPDATE "Order" SET changes = array_append(changes, ${change.id})
    WHERE shop = ${shop} AND "orderId" = ${orderId} AND NOT ${change.id} = ANY(changes)`;
  if (noted > 0) await noteMoney(tx, shop, orderId, change);
}

/** A person decides what money that was paid back without items means for the order's insurance. */
async function noteMoney(
  tx: Transaction,
  shop: string,
  orderId: string,
  { money }: OrderChange,
): Promise<void> {
  if (money !== null) await openPaidBackTask(tx, shop, orderId, money);
}

/**
 * Safe to repeat: a change is applied once, and not where a report of the whole order held it already.
 * @returns false where the order is not known
 */
export async function applyOrderChange(shop: string, orderId: string, change: OrderChange): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const applied = await tx.$executeRaw`
      UPDATE "Order" SET changes = array_append(changes, ${change.id}), revision = revision + 1
      WHERE shop = ${shop} AND "orderId" = ${orderId} AND NOT ${change.id} = ANY(changes) AND "changedAt" <= ${change.at}`;
    if (applied === 0) {
      // A later report of the whole order has its items already, and says nothing of money that was paid back without any.
      await noteChange(tx, shop, orderId, change);
      return (await tx.order.count({ where: { shop, orderId } })) > 0;
    }
    const where = { shop, orderId };
    const removed = removedByLine(change);
    for (const [lineId, quantity] of removed) {
      await tx.$executeRaw`
        UPDATE "OrderLine" SET "currentQuantity" = GREATEST(0, "currentQuantity"::bigint - ${quantity})
        WHERE shop = ${shop} AND "orderId" = ${orderId} AND "lineId" = ${lineId}`;
    }
    const present = await tx.insuredItem.groupBy({
      by: ["lineId"],
      where: { ...where, OR: [{ wanted: true }, { endedInOrder: true }] },
      _count: true,
    });
    const left = present.map(
      ({ lineId, _count }) => [lineId, Math.max(0, _count - (removed.get(lineId) ?? 0))] as const,
    );
    await settleOrder(tx, shop, orderId, new Map(left));
    await noteMoney(tx, shop, orderId, change);
    return true;
  });
}

/** How many items a change took out of each line. */
function removedByLine({ removed }: OrderChange): ReadonlyMap<string, number> {
  const byLine = Map.groupBy(removed, ({ lineId }) => lineId);
  return new Map(
    [...byLine].map(([lineId, parts]) => [lineId, parts.reduce((sum, { quantity }) => sum + quantity, 0)]),
  );
}
