/**
 * An order as the reconciler works on it, read with one statement, and the lease under which it does. The lease is kept
 * in the order's row, on the database's clock, and renewed while the work goes on: a killed worker's lease ends by
 * itself, and a worker that was stopped and resumed notices that its lease has ended before it sends anything.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import {
  orderQuotesColumn,
  orderQuotes,
  soldQuote,
  soldQuotesColumn,
} from "#app/leads/order-leads/situation.server.ts";
import {
  connectionColumn,
  isOfStoreBefore,
  shopModes,
  shopModesColumn,
  storedConnection,
} from "#app/merchants/merchant.server.ts";
import { environment } from "#app/merchants/connection.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { permissionModesOf } from "#app/merchants/optional-scopes.server.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { mailIsOn } from "#app/platform/mail.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { InsuredCustomer } from "#app/plans/ledger/customer.ts";
import { openCustomer } from "#app/plans/ledger/sealed.server.ts";
import { insuredAt, type Unit, unitRow } from "#app/plans/ledger/units.server.ts";
import {
  flowStates,
  type GoodsLine,
  type OrderState,
  type SalesRecordStatus,
  salesRecordStatuses,
  type Skip,
} from "./next-step.ts";

/** A unit with what its customer is shown of it. */
const workingUnit = unitRow.extend({
  /** when its contract was created or found */
  insuredAt: z.coerce.date().nullable(),
  termMonths: z.int().nullable(),
  /** addresses of the category's legal documents at the moment of sale */
  conditionsUrl: z.string().nullable(),
  ipidUrl: z.string().nullable(),
  /** when its customer was mailed what they have */
  mailedAt: z.coerce.date().nullable(),
  /** when its customer declared that they withdraw from it */
  withdrawnAt: z.coerce.date().nullable(),
  flowState: z.enum(flowStates).nullable(),
});
export type WorkingUnit = z.infer<typeof workingUnit>;

const soldLine = z.object({
  lineId: z.string(),
  variantId: z.string().nullable(),
  productId: z.string().nullable(),
  priceMinor: z.int(),
  currency: z.string(),
  categoryId: z.string(),
  insuranceOffered: z.boolean(),
  insuranceSelected: z.boolean(),
});

const goodsLine = z.object({
  lineId: z.string(),
  requiresShipping: z.boolean(),
  fulfilledQuantity: z.int(),
}) satisfies z.ZodType<GoodsLine>;

/** The order as the database has it. */
const storedOrder = z.object({
  orderId: z.string(),
  purchasedAt: z.coerce.date(),
  paidAt: z.coerce.date().nullable(),
  cancelledAt: z.coerce.date().nullable(),
  paymentMethod: z.string(),
  salesChannel: z.string(),
  salesRecordStatus: z.enum(salesRecordStatuses),
  environment,
  /** another store was connected when it was bought: its contracts are that one's */
  isOfStoreBefore: z.boolean(),
  /** when the database was restored to a moment after which it may have been worked on; null: never */
  restoredAt: z.coerce.date().nullable(),
  sealedCustomer: z.string().nullable(),
  revision: z.int(),
  /** its account at the service is paused: requests to the service wait (account.server.ts) */
  isPaused: z.boolean(),
  /** null: the merchant is not connected */
  connection: storedConnection.nullable(),
  shopModes: shopModes.nullable(),
  /** digest of the cover that the order shows */
  coverDigest: z.string().nullable(),
  quotes: orderQuotes,
  soldQuotes: z.array(soldQuote),
  now: z.coerce.date(),
  units: z.array(workingUnit),
  goods: z.array(goodsLine),
  /** its products, while the sales record is to be sent */
  lines: z.array(soldLine),
});
type StoredOrder = z.infer<typeof storedOrder>;

export type WorkingOrder = Omit<StoredOrder, "sealedCustomer" | "shopModes"> &
  OrderState<WorkingUnit> & {
    shop: string;
    /** who is insured; null after the erasure of their data */
    customer: InsuredCustomer | null;
    /** days in which customers may withdraw from a contract, and the shop's time zone */
    withdrawalDays: number;
    timezone: string;
    /** where the insurer takes claims; "" where the merchant has not said */
    claimContact: string;
    /** the service has just refused a contract for want of a phone number */
    phoneNeeded?: true;
  };

/** @throws DecryptionError */
async function toWorkingOrder(
  shop: string,
  { sealedCustomer, shopModes: stored, ...order }: StoredOrder,
  skips: readonly Skip[],
): Promise<WorkingOrder> {
  const customer =
    sealedCustomer === null ? null : openCustomer(await dataKeyOf(shop), order.orderId, sealedCustomer);
  const { settings, modes } = permissionModesOf(stored);
  const isInstalled = stored?.isInstalled === true;
  return {
    ...order,
    shop,
    customer,
    paid: order.paidAt !== null,
    cancelled: order.cancelledAt !== null,
    skips: order.isPaused ? [...skips, "service"] : skips,
    fulfilsPlans: isInstalled && modes.fulfilment === "on" ? settings.fulfilsPlans : "never",
    showsCover: isInstalled && modes.orderCover === "on",
    mailsContracts: isInstalled && mailIsOn && settings.mailsContracts && customer?.email != null,
    startsFlows: isInstalled && settings.startsFlows,
    claimContact: settings.claimContact,
    withdrawalDays: settings.withdrawalDays,
    timezone: stored?.timezone ?? "UTC",
  };
}

/** The columns of the order `o`, but for its units and lines. */
const orderColumns = Prisma.sql`
  o."orderId", o."purchasedAt", o."paidAt", o."cancelledAt", o."paymentMethod", o."salesChannel", o."salesRecordStatus",
  o.environment, ${isOfStoreBefore} AS "isOfStoreBefore",
  (SELECT max(r.at) FROM "Restore" AS r WHERE r.at >= o."purchasedAt") AS "restoredAt", o."sealedCustomer", o.revision,
  EXISTS (SELECT FROM "AccountPause" AS p WHERE p.shop = o.shop AND p.environment = o.environment) AS "isPaused",
  ${connectionColumn} AS connection, ${shopModesColumn} AS "shopModes", o."coverDigest", now() AS now,
  ${soldQuotesColumn} AS "soldQuotes"`;

/** The units and lines of the order `o` in two tables, or in what a statement has just inserted. */
const itemColumns = (units: Prisma.Sql, lines: Prisma.Sql) => Prisma.sql`
  (SELECT COALESCE(jsonb_agg(to_jsonb(u) || jsonb_build_object('insuredAt', ${insuredAt})
      ORDER BY u."lineId", u."unitNumber"), '[]')
    FROM ${units} AS u WHERE u.shop = o.shop AND u."orderId" = o."orderId") AS units,
  (SELECT COALESCE(jsonb_agg(to_jsonb(line) ORDER BY line."lineId"), '[]') FROM ${lines} AS line
    WHERE line.shop = o.shop AND line."orderId" = o."orderId" AND o."salesRecordStatus" = 'none') AS lines,
  (SELECT COALESCE(jsonb_agg(jsonb_build_object('lineId', line."lineId", 'requiresShipping', line."requiresShipping",
      'fulfilledQuantity', line."fulfilledQuantity")), '[]')
    FROM ${lines} AS line WHERE line.shop = o.shop AND line."orderId" = o."orderId") AS goods,
  ${orderQuotesColumn(lines)} AS quotes`;

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** Ample time between the check and the first byte sent to the service. */
const MARGIN_MS = 3_000;
const leaseEnd = Prisma.sql`now() + ${LEASE_MS} * interval '1 millisecond'`;

export interface Lease {
  holder: string;
  /** false once another worker may have taken over; by the monotonic clock, which goes on in a stopped process */
  isHeld(): boolean;
  /** Ends the lease, and saves what the run found out. */
  release(order: WorkingOrder, end: { dueAt: Date | null; waits: boolean }): Promise<Released>;
}

export interface Released {
  /** false where the order has a newer revision, or the lease was lost: read the order again */
  isCurrent: boolean;
  /** the order waits for its account */
  isWaiting: boolean;
}

export interface AcquiredOrder {
  lease: Lease;
  order: WorkingOrder;
}

/** A lease that a statement takes with the order's row. */
export interface NewLease {
  holder: string;
  startedAt: number;
}

export const newLease = (): NewLease => ({ holder: randomUUID(), startedAt: performance.now() });

/**
 * Inserts a new order under a lease, with its lines and units, and reads it in the same statement.
 * @param row columns and values of the order
 * @param items the parts of a WITH that insert `lines` and `inserted`, its units, for the order `stored`
 * @returns null: the order is stored already; then nothing was written
 */
export async function insertLeased(
  shop: string,
  { holder, startedAt }: NewLease,
  { columns, values, items }: { columns: Prisma.Sql; values: Prisma.Sql; items: Prisma.Sql },
): Promise<AcquiredOrder | null> {
  const rows = await db.$queryRaw`
    WITH stored AS (
      INSERT INTO "Order" AS o (${columns}, "leaseHolder", "leaseExpiresAt") VALUES (${values}, ${holder}, ${leaseEnd})
      ON CONFLICT DO NOTHING
      RETURNING o.shop, o."leadsDigest", o."leadsDecidedAt", o."acceptsMarketing", o."erasedAt", ${orderColumns}
    ), ${items}
    SELECT o.*, ${itemColumns(Prisma.sql`inserted`, Prisma.sql`lines`)} FROM stored AS o`;
  const [row] = z.array(storedOrder).max(1).parse(rows);
  return row ? startWork(shop, row, { holder, startedAt }, []) : null;
}

const acquired = z
  .array(
    z.object({
      order: storedOrder.nullable(),
      /** false: the order changed while this statement waited for its row, so the units are stale */
      isWhole: z.boolean().nullable(),
      heldUntil: z.coerce.date(),
    }),
  )
  .max(1);

/**
 * Takes the lease of an order and reads the order. Null: there is no such order. `heldUntil`: another worker has it; its
 * revision grows, so that this worker reads the order again before it ends, unless it is dead.
 */
export async function acquireOrder(
  shop: string,
  orderId: string,
  skips: readonly Skip[] = [],
): Promise<AcquiredOrder | { heldUntil: Date } | null> {
  const lease = newLease();
  const isFree = Prisma.sql`(o."leaseExpiresAt" IS NULL OR o."leaseExpiresAt" < now())`;
  const rows = await db.$queryRaw`
    WITH before AS (
      SELECT revision, "leaseExpiresAt" FROM "Order" WHERE shop = ${shop} AND "orderId" = ${orderId}
    ), o AS (
      UPDATE "Order" AS o SET
        "leaseHolder" = CASE WHEN ${isFree} THEN ${lease.holder} ELSE o."leaseHolder" END,
        "leaseExpiresAt" = CASE WHEN ${isFree} THEN ${leaseEnd} ELSE o."leaseExpiresAt" END,
        revision = CASE WHEN ${isFree} THEN o.revision ELSE o.revision + 1 END
      WHERE o.shop = ${shop} AND o."orderId" = ${orderId}
      RETURNING o.shop, o."leaseHolder", o."leadsDigest", o."leadsDecidedAt", o."acceptsMarketing", o."erasedAt",
        ${orderColumns}
    ), acquired AS (
      SELECT o.*, ${itemColumns(Prisma.sql`"InsuredUnit"`, Prisma.sql`"OrderLine"`)} FROM o
      WHERE o."leaseHolder" = ${lease.holder}
    )
    SELECT to_jsonb(acquired) AS "order", acquired.revision = before.revision AS "isWhole",
      GREATEST(before."leaseExpiresAt", now()) + interval '1 second' AS "heldUntil"
    FROM before LEFT JOIN acquired ON true`;
  const [row] = acquired.parse(rows);
  if (!row) return null;
  if (!row.order) return { heldUntil: row.heldUntil };
  if (row.isWhole === true) return startWork(shop, row.order, lease, skips);
  const current = await readStoredOrder(shop, orderId);
  return current && startWork(shop, current, lease, skips);
}

async function readStoredOrder(shop: string, orderId: string): Promise<StoredOrder | null> {
  const rows = await db.$queryRaw`
    SELECT ${orderColumns}, ${itemColumns(Prisma.sql`"InsuredUnit"`, Prisma.sql`"OrderLine"`)}
    FROM "Order" AS o WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return z.array(storedOrder).max(1).parse(rows)[0] ?? null;
}

/** @throws DecryptionError; then the lease is ended */
async function startWork(
  shop: string,
  stored: StoredOrder,
  { holder, startedAt }: NewLease,
  skips: readonly Skip[],
): Promise<AcquiredOrder> {
  const lease = keepLease(shop, stored, holder, startedAt);
  try {
    return { lease, order: await toWorkingOrder(shop, stored, skips) };
  } catch (error) {
    await endLease(shop, stored.orderId, holder);
    throw error;
  }
}

/** Renews the lease until it is released. */
function keepLease(shop: string, stored: StoredOrder, holder: string, startedAt: number): Lease {
  const { orderId } = stored;
  let renewedAt = startedAt;
  const renew = async (): Promise<void> => {
    const now = performance.now();
    const renewed = await db.$executeRaw`
      UPDATE "Order" SET "leaseExpiresAt" = ${leaseEnd}
      WHERE shop = ${shop} AND "orderId" = ${orderId} AND "leaseHolder" = ${holder} AND "leaseExpiresAt" > now()`;
    if (renewed === 1) renewedAt = now;
  };
  const timer = setInterval(() => {
    // Without a renewal the lease runs out, and `isHeld` says so: nothing else needs doing.
    renew().catch((error: unknown) =>
      log.warn(
        { err: error, shop, orderId },
        "Failed to renew the order's lease; another worker may take over in 15 s",
      ),
    );
  }, RENEW_MS);
  timer.unref();

  return {
    holder,
    isHeld: () => performance.now() - renewedAt < LEASE_MS - MARGIN_MS,
    async release(order, end) {
      clearInterval(timer);
      return saveRun(stored, order, holder, end);
    },
  };
}

const released = z.array(z.object({ revision: z.int(), isHeld: z.boolean(), isWaiting: z.boolean() })).max(1);

/**
 * Saves what the service and the shop have carried out, and ends the lease, in one statement. Where the lease was lost,
 * what was carried out is true all the same. An order that waits locks its account's pause meanwhile, so the end of the
 * pause finds every order that waits.
 */
async function saveRun(
  before: StoredOrder,
  { shop, orderId, environment: account, salesRecordStatus, coverDigest, units, revision }: WorkingOrder,
  holder: string,
  { dueAt, waits }: { dueAt: Date | null; waits: boolean },
): Promise<Released> {
  const status = salesRecordStatus === before.salesRecordStatus ? null : salesRecordStatus;
  const digest = coverDigest === before.coverDigest ? null : coverDigest;
  const unfulfilled = before.units.filter(({ fulfilledAt }) => fulfilledAt === null);
  const fulfilled = units
    .filter(({ fulfilledAt }) => fulfilledAt !== null)
    .filter((unit) => unfulfilled.some((each) => isSameUnit(each, unit)))
    .map(({ lineId, unitNumber }) => ({ lineId, unitNumber }));
  const fulfilling = Prisma.sql`, fulfilled AS (
    UPDATE "InsuredUnit" AS u SET "fulfilledAt" = now()
    FROM jsonb_to_recordset(${JSON.stringify(fulfilled)}::jsonb) AS item("lineId" text, "unitNumber" int)
    WHERE u.shop = ${shop} AND u."orderId" = ${orderId} AND u."lineId" = item."lineId"
      AND u."unitNumber" = item."unitNumber" AND u.state = 'active' AND u."fulfilledAt" IS NULL)`;
  const waiting = Prisma.sql`, paused AS (
    SELECT p.environment FROM "AccountPause" AS p WHERE p.shop = ${shop} AND p.environment = ${account}
    FOR KEY SHARE
  ), waiting AS (
    INSERT INTO "WaitingOrder" (shop, "orderId", environment)
    SELECT ${shop}, ${orderId}, environment FROM paused ON CONFLICT DO NOTHING)`;
  const rows = await db.$queryRaw`
    WITH held AS (
      SELECT COALESCE("leaseHolder" = ${holder}, false) AS "isHeld" FROM "Order"
      WHERE shop = ${shop} AND "orderId" = ${orderId} FOR UPDATE
    )${fulfilled.length > 0 ? fulfilling : Prisma.empty}${waits ? waiting : Prisma.empty}
    UPDATE "Order" AS o SET
      "leaseHolder" = CASE WHEN held."isHeld" THEN NULL ELSE o."leaseHolder" END,
      "leaseExpiresAt" = CASE WHEN held."isHeld" THEN NULL ELSE o."leaseExpiresAt" END,
      "dueAt" = CASE WHEN held."isHeld" AND o.revision = ${revision} THEN ${dueAt}::timestamptz ELSE o."dueAt" END,
      "salesRecordStatus" = COALESCE(${status}, o."salesRecordStatus"),
      "coverDigest" = COALESCE(${digest}, o."coverDigest")
    FROM held WHERE o.shop = ${shop} AND o."orderId" = ${orderId}
    RETURNING o.revision, held."isHeld", ${waits ? Prisma.sql`EXISTS (SELECT FROM paused)` : Prisma.sql`false`} AS "isWaiting"`;
  const [row] = released.parse(rows);
  return {
    isCurrent: row?.isHeld === true && row.revision === revision,
    isWaiting: row?.isWaiting === true,
  };
}

async function endLease(shop: string, orderId: string, holder: string): Promise<void> {
  await db.order.updateMany({
    where: { shop, orderId, leaseHolder: holder },
    data: { leaseHolder: null, leaseExpiresAt: null },
  });
}

const isSameUnit = (a: Pick<Unit, "lineId" | "unitNumber">, b: Pick<Unit, "lineId" | "unitNumber">) =>
  a.lineId === b.lineId && a.unitNumber === b.unitNumber;

/** The order with some of its units as they are now. */
export function withUnits(order: WorkingOrder, moved: readonly Unit[]): WorkingOrder {
  return {
    ...order,
    units: order.units.map((unit) => {
      const now = moved.find((each) => isSameUnit(each, unit));
      if (!now) return unit;
      const isInsuredNow = now.state === "active" && now.contractId !== unit.contractId;
      return { ...unit, ...now, insuredAt: isInsuredNow ? now.changedAt : unit.insuredAt };
    }),
  };
}

/** An order's sales record changed without the reconciler. */
export async function writeSalesRecordStatus(
  shop: string,
  orderId: string,
  status: SalesRecordStatus,
): Promise<void> {
  await db.order.updateMany({ where: { shop, orderId }, data: { salesRecordStatus: status } });
}
