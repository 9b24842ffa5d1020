/** Orders in the database: taking in what the platform says of one, and reading one to work on it. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import { customerOf, insuredCustomer } from "./customer.ts";
import { unitsToEnd } from "./ledger.ts";
import type { Ledger, LedgerUnit } from "./ledger.ts";
import { orderRecords } from "./next-step.ts";
import { paymentMethod, salesChannel } from "./sales-words.ts";
import { openTask } from "./tasks.server.ts";
import { unitRow } from "./units.server.ts";

const upserted = z.tuple([z.object({ isNew: z.boolean(), isNewest: z.boolean() })]);

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
  const customer = customerOf(order);
  // Webhooks tell the time of a change in whole seconds, the Admin API may be finer: they must compare.
  const changedAt = new Date(Math.floor(order.updatedAt.getTime() / 1_000) * 1_000);
  await db.$transaction(async (transaction) => {
    const rows = await transaction.$queryRaw`
      INSERT INTO "Order" AS known (shop, "orderId", name, "purchasedAt", "changedAt", "paidAt", "cancelledAt", currency,
        "paymentMethod", "salesChannel", customer, email, environment)
      VALUES (${shop}, ${order.id}, ${order.name}, ${order.createdAt}, ${changedAt},
        ${order.paid ? changedAt : null}, ${order.cancelledAt}, ${order.currency},
        ${paymentMethod(order.gateways)}, ${salesChannel(order.sourceName, order.business)},
        ${JSON.stringify(customer)}::jsonb, ${customer.email?.toLowerCase() ?? null}, ${environment})
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
      RETURNING (xmax = 0) AS "isNew", ("changedAt" = ${changedAt}) AS "isNewest"`;
    const [{ isNew, isNewest }] = upserted.parse(rows);
    if (isNewest) await writeLines(transaction, shop, order.id, ledger);
    await writeUnits(transaction, shop, order.id, ledger.units);
    const lost =
      ledger.units.length > 0 && [...ledger.keep].some(([lineId, keep]) => keep < pieces(ledger, lineId));
    if (isNewest && (lost || !isNew)) await endUnits(transaction, shop, order.id, ledger.keep);
  });
}

const pieces = (ledger: Ledger, lineId: string): number =>
  ledger.units.filter((unit) => unit.lineId === lineId).length;

async function writeLines(
  transaction: Transaction,
  shop: string,
  orderId: string,
  ledger: Ledger,
): Promise<void> {
  if (ledger.lines.length === 0) return;
  await transaction.$executeRaw`
    INSERT INTO "OrderLine" (shop, "orderId", "lineId", "productId", "variantId", title, quantity, "currentQuantity",
      "priceMinor", currency, "categoryId", "insuranceOffered", "insuranceSelected", "offeredAt")
    SELECT ${shop}, ${orderId}, line.*
    FROM jsonb_to_recordset(${JSON.stringify(ledger.lines)}::jsonb) AS line("lineId" text, "productId" text,
      "variantId" text, title text, quantity int, "currentQuantity" int, "priceMinor" int, currency text,
      "categoryId" text, "insuranceOffered" boolean, "insuranceSelected" boolean, "offeredAt" text)
    ON CONFLICT (shop, "orderId", "lineId") DO UPDATE SET
      quantity = excluded.quantity, "currentQuantity" = excluded."currentQuantity"`;
}

const bornRows = z.array(z.object({ lineId: z.string(), unit: z.int() }));

/** Units are born once; what is wrong with one is asked of the merchant at its birth and never again. */
async function writeUnits(
  transaction: Transaction,
  shop: string,
  orderId: string,
  units: LedgerUnit[],
): Promise<void> {
  if (units.length === 0) return;
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
  const born = bornRows.parse(
    await transaction.$queryRaw`
      WITH born AS (
        INSERT INTO "InsuredUnit" (shop, "orderId", "lineId", unit, state, reason, "offerReferenceId", "planVariantId",
          "planTitle", "premiumMinor", currency, "termMonths", "insuredLineId", "insuredVariantId", "insuredTitle",
          "insuredPriceMinor", "insuredCurrency", touchpoint, consent)
        SELECT ${shop}, ${orderId}, u.*
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS u("lineId" text, unit int, state text, reason text,
          "offerReferenceId" text, "planVariantId" text, "planTitle" text, "premiumMinor" int, currency text,
          "termMonths" int, "insuredLineId" text, "insuredVariantId" text, "insuredTitle" text,
          "insuredPriceMinor" int, "insuredCurrency" text, touchpoint text, consent text)
        ON CONFLICT DO NOTHING
        RETURNING *
      ), written AS (
        INSERT INTO "UnitHistory" (shop, "orderId", "lineId", unit, after, cause, attempt, note)
        SELECT shop, "orderId", "lineId", unit, state, 'paid_for', 0, reason FROM born
      )
      SELECT "lineId", unit FROM born`,
  );
  for (const { lineId, unit } of born) {
    const { finding, planTitle, insured, offerReferenceId, premiumMinor, currency } =
      units.find((each) => each.lineId === lineId && each.unit === unit) ?? {};
    if (!finding || planTitle === undefined) continue;
    const details = { finding, planTitle, insuredTitle: insured?.title ?? null };
    await openTask(
      {
        shop,
        kind: "check_plan",
        orderId,
        lineId,
        unit,
        details: {
          ...details,
          offerReferenceId: offerReferenceId ?? "",
          premiumMinor: premiumMinor ?? 0,
          currency: currency ?? "",
        },
      },
      transaction,
    );
  }
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

const workingOrder = z.object({
  orderId: z.string(),
  paid: z.boolean(),
  cancelled: z.boolean(),
  record: z.enum(orderRecords),
  environment: z.enum(["test", "production"]),
  customer: insuredCustomer.nullable(),
  facts: z.int(),
  now: z.coerce.date(),
  units: z.array(unitRow),
});
export type WorkingOrder = z.infer<typeof workingOrder>;

/** An order with its units as it is now, with the database's time. Null: there is none. */
export async function readWorkingOrder(shop: string, orderId: string): Promise<WorkingOrder | null> {
  const rows = await db.$queryRaw`
    SELECT o."orderId", o."paidAt" IS NOT NULL AS paid, o."cancelledAt" IS NOT NULL AS cancelled, o.record,
      o.environment, o.customer, o.facts, now() AS now,
      (SELECT COALESCE(jsonb_agg(to_jsonb(u) ORDER BY u."lineId", u.unit), '[]')
       FROM "InsuredUnit" AS u WHERE u.shop = o.shop AND u."orderId" = o."orderId") AS units
    FROM "Order" AS o WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return z.array(workingOrder).parse(rows)[0] ?? null;
}

/** Notes what the service knows of the order now. */
export async function writeRecord(
  shop: string,
  orderId: string,
  record: WorkingOrder["record"],
): Promise<void> {
  await db.order.updateMany({ where: { shop, orderId }, data: { record } });
}

/** What the order's sales data is made of (plan-request.ts). */
export async function readOrderToRecord(shop: string, orderId: string) {
  return db.order.findUniqueOrThrow({
    where: { shop_orderId: { shop, orderId } },
    select: {
      orderId: true,
      purchasedAt: true,
      paymentMethod: true,
      salesChannel: true,
      lines: { where: { shop }, orderBy: { lineId: "asc" } },
    },
  });
}
