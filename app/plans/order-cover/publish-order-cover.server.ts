/**
 * Writes an order's cover into a metafield of the order, which the order status page and the customer's account show
 * (extensions/cover). Nothing personal: whoever has the order's address reads it.
 */
import { z } from "zod";
import { isLink } from "#app/catalogue/references/reference.ts";
import { sendOrderJob, sendOrderJobs } from "#app/jobs/order-jobs.server.ts";
import { environment } from "#app/merchants/connection.ts";
import { forEachDueShop } from "#app/merchants/merchant.server.ts";
import { grantingShops, readPermissionModes } from "#app/merchants/optional-scopes.server.ts";
import { readMerchantSettings } from "#app/merchants/settings.server.ts";
import { withdrawalLink } from "#app/plans/withdrawal/link.server.ts";
import { db } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { unitStates } from "#app/plans/ledger/unit-states.ts";
import { insuredAt } from "#app/plans/ledger/units.server.ts";
import { shownSince } from "#app/shopify/order-access.ts";
import { writeOrderMetafield } from "#app/shopify/order-metafield.server.ts";
import { orderCover } from "./order-cover.ts";

/**
 * Safe to repeat: an unchanged value is not written again. Without the scope or with the setting off nothing is done.
 * What the shop refuses, such as an order that was deleted, waits for the next change.
 * @throws AdminUnavailable, NoAccess: not done, try again
 */
export async function publishOrderCover(shop: string, orderId: string): Promise<void> {
  if (!(await showsCover(shop))) return;
  const order = await readOrder(shop, orderId);
  if (!order || order.units.length === 0) return;
  const { withdrawalDays: days } = await readMerchantSettings(shop);
  const withdrawal = { url: withdrawalLink(shop, orderId), days, timezone: order.timezone };
  const content = orderCover({ ...order, app: env.SHOPIFY_APP_URL, withdrawal }, order.units);
  const metafield = { key: "cover", content, written: order.coverDigest } as const;
  const coverDigest = await writeOrderMetafield(shop, orderId, metafield);
  if (coverDigest !== null) await db.order.updateMany({ where: { shop, orderId }, data: { coverDigest } });
}

const showsCover = async (shop: string) => (await readPermissionModes(shop)).orderCover === "on";

const orderRow = z.object({
  paidAt: z.coerce.date().nullable(),
  cancelledAt: z.coerce.date().nullable(),
  /** the shop's */
  timezone: z.string(),
  environment,
  coverDigest: z.string().nullable(),
  units: z.array(
    z.object({
      state: z.enum(unitStates),
      wanted: z.boolean(),
      contractId: z.string().nullable(),
      planTitle: z.string(),
      insuredTitle: z.string().nullable(),
      expiresOn: z.string().nullable(),
      insuredAt: z.coerce.date().nullable(),
      conditions: z.string().nullable().transform(linkOrEmpty),
      ipid: z.string().nullable().transform(linkOrEmpty),
    }),
  ),
});

function linkOrEmpty(address: string | null): string {
  return address !== null && isLink(address) ? address : "";
}

/**
 * Contracts of the order `o` that its customer made from a quote; the service shows neither their days nor their
 * status. Where the order or the item is gone, a person has to end them.
 */
const soldQuotes = Prisma.sql`
  SELECT l."lineId", l."unitNumber",
    CASE WHEN l.reason IN ('order_cancelled', 'fewer_pieces') THEN 'attention' ELSE 'active' END, true, l."contractId", l."soldTitle", l."productTitle", NULL, NULL,
    c.legal->>'conditionsUrl', c.legal->>'ipidUrl'
  FROM "OrderLead" AS l
  LEFT JOIN "Category" AS c ON c.shop = l.shop AND c.environment = l.environment AND c."categoryId" = l."categoryId"
  WHERE l.shop = o.shop AND l."orderId" = o."orderId" AND l.environment = o.environment AND l.state = 'sold'
    AND l."soldTitle" IS NOT NULL`;

async function readOrder(shop: string, orderId: string): Promise<z.infer<typeof orderRow> | null> {
  const rows = await db.$queryRaw`
    SELECT o."paidAt", o."cancelledAt", o.environment, o."coverDigest",
      (SELECT m.timezone FROM "Merchant" AS m WHERE m.shop = o.shop) AS timezone, (
      SELECT COALESCE(jsonb_agg(unit ORDER BY unit."lineId", unit."unitNumber"), '[]') FROM (
        SELECT u."lineId", u."unitNumber", u.state, u.wanted, u."contractId", u."planTitle", u."insuredTitle", u."expiresOn",
          ${insuredAt} AS "insuredAt",
          c.legal->>'conditionsUrl' AS conditions, c.legal->>'ipidUrl' AS ipid
        FROM "InsuredUnit" AS u
        LEFT JOIN "Reference" AS r ON r.shop = u.shop AND r.environment = o.environment
          AND r."referenceId" = u."offerReferenceId"
        LEFT JOIN "Category" AS c ON c.shop = u.shop AND c.environment = o.environment
          AND c."categoryId" = r."categoryId"
        WHERE u.shop = o.shop AND u."orderId" = o."orderId"
        UNION ALL ${soldQuotes}
      ) AS unit) AS units
    FROM "Order" AS o WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return z.array(orderRow).max(1).parse(rows)[0] ?? null;
}

export async function scheduleOrderCover(shop: string, orderId: string): Promise<void> {
  await sendOrderJob("order-cover", shop, orderId);
}

/** Schedules a shop's orders of which nothing was written yet: the scope was granted, or the setting turned on. */
export async function scheduleUnpublishedCovers(shop: string): Promise<void> {
  if (!(await showsCover(shop))) return;
  await sendOrderJobs("order-cover", shop, await findUnpublished(shop));
}

/** A period that would end at a weekend ends later. */
const WEEKEND_DAYS = 3;
const DAY_MS = 86_400_000;

/**
 * The shop's period for withdrawing has changed: the covers that name its end, or did, are written again, as if nothing of
 * them was written yet. The next thousand at once, the others by the hourly job.
 * @param days the longer one of both periods
 */
export async function rewriteWithdrawals(shop: string, days: number): Promise<void> {
  const since = new Date(Date.now() - (days + WEEKEND_DAYS) * DAY_MS);
  await db.order.updateMany({
    where: { shop, coverDigest: { not: null }, purchasedAt: { gt: since } },
    data: { coverDigest: null },
  });
  await scheduleUnpublishedCovers(shop);
}

const AT_ONCE = 1_000;

async function findUnpublished(shop: string): Promise<{ orderId: string }[]> {
  return db.order.findMany({
    where: { shop, coverDigest: null, purchasedAt: { gt: shownSince() }, units: { some: {} } },
    select: { orderId: true },
    orderBy: { purchasedAt: "desc" },
    take: AT_ONCE,
  });
}

/** Units that changed without the order's job, or that could not be written within its retries. */
const CHANGED_HOURS = 3;

/** The hourly job: orders of which nothing was written yet, and those whose units changed, or quotes were sold, in the last hours. */
export async function scheduleAllDueCovers(signal: AbortSignal): Promise<void> {
  const since = new Date(Date.now() - CHANGED_HOURS * 3_600_000);
  const due = Prisma.sql`
    SELECT m.shop FROM (${grantingShops("orderCover")}) AS m
    WHERE EXISTS (SELECT FROM "InsuredUnit" AS u WHERE u.shop = m.shop AND u."changedAt" > ${since}::timestamptz)
      OR EXISTS (SELECT FROM "OrderLead" AS l
        WHERE l.shop = m.shop AND l.state = 'sold' AND l."lookedAt" > ${since}::timestamptz)
      OR EXISTS (
        SELECT FROM "Order" AS o JOIN "InsuredUnit" AS u USING (shop, "orderId")
        WHERE o.shop = m.shop AND o."coverDigest" IS NULL AND o."purchasedAt" > ${shownSince()}::timestamptz)`;
  const work = async (shop: string) => {
    if (!(await showsCover(shop))) return;
    const some = { select: { orderId: true }, distinct: ["orderId" as const], take: AT_ONCE };
    const changed = await db.insuredUnit.findMany({ where: { shop, changedAt: { gt: since } }, ...some });
    const sold = await db.orderLead.findMany({
      where: { shop, state: "sold", lookedAt: { gt: since } },
      ...some,
    });
    await sendOrderJobs("order-cover", shop, [...(await findUnpublished(shop)), ...changed, ...sold]);
  };
  await forEachDueShop("order cover", due, work, signal);
}
