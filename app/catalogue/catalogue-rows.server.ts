/**
 * The catalogue: its statements that are written in SQL, with what they return. Those about the app's copy of the shop's
 * products are in product-categories/product-store.server.ts, the list of references in references/reference-list.server.ts.
 */
import { z } from "zod";
import { billing } from "#app/insurance/fields.ts";
import { type Environment, environment } from "#app/merchants/connection.ts";
import { marketStore } from "#app/merchants/market-stores.ts";
import {
  accountsInUse,
  accountsInUseSql,
  connectedShops,
  saleRule,
  saleRuleColumn,
} from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import { timelineClause, withinPeriod } from "#app/platform/keyset.server.ts";
import { Prisma, type SyncedVariant } from "#app/platform/prisma/client.ts";
import type { TimelineQuery } from "#app/platform/list-page.ts";
import { refusals } from "../../extensions/sale-rule.ts";
import type { RunKind } from "./runs/run.ts";
import { type ReferenceState, referenceStates } from "./references/reference-list.ts";

// What the catalogue knows about a paid order: which lines are plans, and which products could have been insured.

const referenceOfVariant = z.object({
  variantId: z.string(),
  environment,
  referenceId: z.string(),
  categoryId: z.string(),
  termMonths: z.int(),
  billing,
  priceMinor: z.int(),
  /** the price at which the shop sells it, which is the offer's as of the last sync */
  soldAtMinor: z.int(),
  currency: z.string(),
  bandMinMinor: z.int(),
  bandMaxMinor: z.int(),
  /** the products it was offered for; empty: it is for all */
  productReferenceIds: z.array(z.string()),
  /** another store offered it, or the order is from that store's time: this one's contracts are none of it */
  isOfStoreBefore: z.boolean(),
});

const offeredBand = z.object({
  environment,
  categoryId: z.string(),
  minMinor: z.int(),
  maxMinor: z.int(),
  currency: z.string(),
});

const orderCatalogue = z.tuple([
  z.object({
    /** the references that the variants sell or sold; variants that sell no plan are left out */
    found: z.array(referenceOfVariant),
    /** the insurance categories of each product that has any: the first is its own, the others are formulas beside it */
    categories: z.array(z.object({ productId: z.string(), categoryIds: z.array(z.string()).min(1) })),
    /** the price bands for which these categories were on offer */
    bands: z.array(offeredBand),
    /** what may be sold; null: the shop is not known */
    saleRule: saleRule.nullable(),
    /** null: the shop is not known */
    accounts: accountsInUse.nullable(),
    /** the account of the order as it is stored; null: it is new */
    storedIn: z.object({ environment, storeId: z.string().nullable() }).nullable(),
    /** the merchant's further stores at the service */
    stores: z.array(marketStore.extend({ environment })),
  }),
]);
export type OrderCatalogue = z.infer<typeof orderCatalogue>[0];

/**
 * What the shop's catalogue knows of an order's variants and products, in one statement: every paid order needs it.
 * @param at a past order cannot have been offered more than what was on offer at that moment
 */
export async function findOrderCatalogue(
  shop: string,
  {
    orderId,
    variantIds,
    productIds,
    at,
  }: { orderId: string; variantIds: readonly string[]; productIds: readonly string[]; at: Date },
): Promise<OrderCatalogue> {
  const rows = await db.$queryRaw`
    WITH found AS (
      SELECT v."variantId", v.environment, v."priceMinor" AS "soldAtMinor", r."referenceId", r."categoryId",
        r."termMonths", r.billing, r."priceMinor", r.currency, r."bandMinMinor", r."bandMaxMinor",
        COALESCE(r."productReferenceIds", '{}') AS "productReferenceIds",
        ${isOfStoreBefore(at)} AS "isOfStoreBefore"
      FROM "SyncedVariant" AS v
      JOIN "Reference" AS r
        ON r.shop = v.shop AND r.environment = v.environment AND r."referenceId" = v."referenceId"
      WHERE v.shop = ${shop} AND v."variantId" = ANY(${[...variantIds]}::text[])
    ), categories AS (
      SELECT p."productId", p."categoryId" || COALESCE((
        SELECT r."otherCategoryIds" FROM "CategoryRule" AS r
        WHERE r.shop = p.shop AND r."categoryId" = p."categoryId" ORDER BY r.position LIMIT 1
      ), '{}') AS "categoryIds"
      FROM "ShopProduct" AS p
      WHERE p.shop = ${shop} AND p."productId" = ANY(${[...productIds]}::text[]) AND p."categoryId" IS NOT NULL
    ), bands AS (
      SELECT DISTINCT environment, "categoryId", "bandMinMinor" AS "minMinor", "bandMaxMinor" AS "maxMinor", currency
      FROM "Reference"
      WHERE shop = ${shop} AND "categoryId" IN (SELECT unnest("categoryIds") FROM categories)
        -- The insurer collects for a contract of a quote, so one by the month is on offer there.
        AND (problem IS NULL OR problem = 'monthly')
        -- The platform gives the time of an order in whole seconds.
        AND date_trunc('second', "firstSeenAt") <= ${at}::timestamptz
        AND (state = 'offered' OR "vanishedAt" > ${at}::timestamptz)
    )
    SELECT (SELECT COALESCE(jsonb_agg(found), '[]') FROM found) AS found,
      (SELECT COALESCE(jsonb_agg(categories), '[]') FROM categories) AS categories,
      (SELECT COALESCE(jsonb_agg(bands), '[]') FROM bands) AS bands,
      ${saleRuleColumn(Prisma.sql`${shop}`)} AS "saleRule", ${accountsInUseSql(shop)} AS accounts,
      (SELECT jsonb_build_object('environment', environment, 'storeId', "storeId")
        FROM "Order" WHERE shop = ${shop} AND "orderId" = ${orderId}) AS "storedIn",
      (SELECT COALESCE(jsonb_agg(to_jsonb(s)), '[]') FROM "MarketStore" AS s WHERE s.shop = ${shop}) AS stores`;
  return orderCatalogue.parse(rows)[0];
}

/**
 * A condition of a statement: the variant `v` was sold, at that moment, for another store than the one that is connected,
 * or its reference `r` was not offered by this one yet.
 */
const isOfStoreBefore = (at: Date) => Prisma.sql`EXISTS (
  SELECT FROM "ConnectedStore" AS s
  WHERE s.shop = v.shop AND s.environment = v.environment
    AND (s.since >= ${at}::timestamptz OR s.since >= r."vanishedAt"))`;

const accountOfPlan = z.array(z.object({ environment, isOfStoreBefore: z.boolean() })).max(1);

/** The account for which a variant was sold as a plan at that moment. Null: the variant is no plan. */
export async function findAccountOfPlan(
  shop: string,
  variantId: string,
  at: Date,
): Promise<z.infer<typeof accountOfPlan>[number] | null> {
  const rows = await db.$queryRaw`
    SELECT v.environment, ${isOfStoreBefore(at)} AS "isOfStoreBefore"
    FROM "SyncedVariant" AS v
    LEFT JOIN "Reference" AS r
      ON r.shop = v.shop AND r.environment = v.environment AND r."referenceId" = v."referenceId"
    WHERE v.shop = ${shop} AND v."variantId" = ${variantId}`;
  return accountOfPlan.parse(rows)[0] ?? null;
}

// One product, and the references that the service offers.

const productWithOverride = z.tuple([
  z.object({
    product: z
      .object({
        productId: z.string(),
        title: z.string(),
        productType: z.string(),
        vendor: z.string(),
        tags: z.array(z.string()),
        collections: z.array(z.string()),
        minPriceMinor: z.int().nullable(),
      })
      .nullable(),
    override: z.object({ categoryId: z.string().nullable() }).nullable(),
    isInsurance: z.boolean(),
  }),
]);

/** A product with its override, and whether it sells plans, in one statement. */
export async function readProductAndOverride(shop: string, productId: string) {
  const rows = await db.$queryRaw`
    SELECT
      (SELECT to_jsonb(p) FROM "ShopProduct" AS p WHERE p.shop = ${shop} AND p."productId" = ${productId}) AS product,
      (SELECT to_jsonb(o) FROM "CategoryOverride" AS o WHERE o.shop = ${shop} AND o."productId" = ${productId}) AS override,
      EXISTS (SELECT FROM "SyncedProduct" AS s WHERE s.shop = ${shop} AND s."productId" = ${productId}) AS "isInsurance"`;
  return productWithOverride.parse(rows)[0];
}

const offeredReference = z.object({
  categoryId: z.string(),
  referenceId: z.string(),
  problem: z.string().nullable(),
  currency: z.string(),
  bandMinMinor: z.int(),
  bandMaxMinor: z.int(),
  onSale: z.boolean(),
});
export type OfferedReference = z.infer<typeof offeredReference>;

/** The references of these categories that the service offers, with what is wrong with them, shortest term first. */
export async function listOfferedReferences(
  shop: string,
  environment: Environment,
  categoryIds: readonly string[],
): Promise<OfferedReference[]> {
  const rows = await db.$queryRaw`
    SELECT r."categoryId", r."referenceId", r.problem, r.currency, r."bandMinMinor", r."bandMaxMinor", EXISTS (
      SELECT FROM "SyncedVariant" AS v WHERE v.shop = r.shop AND v.environment = r.environment
        AND v."referenceId" = r."referenceId" AND v."onSale") AS "onSale"
    FROM "Reference" AS r
    WHERE r.shop = ${shop} AND r.environment = ${environment} AND r."categoryId" = ANY(${[...categoryIds]})
      AND r.state = 'offered'
    ORDER BY r."termMonths", r."referenceId"`;
  return z.array(offeredReference).parse(rows);
}

const stateCounts = z.array(z.object({ shown: z.enum(referenceStates), count: z.number() }));

/** How many references of one environment are in each state. */
export async function countReferences(
  shop: string,
  environment: Environment,
): Promise<Record<ReferenceState, number>> {
  const counted = stateCounts.parse(
    await db.$queryRaw`
      SELECT CASE WHEN r.state = 'vanished' THEN 'vanished' WHEN r.problem IS NOT NULL THEN 'withheld'
          WHEN v."referenceId" IS NOT NULL THEN 'on_sale' ELSE 'not_synced' END AS shown, count(*)::int AS count
      FROM "Reference" r LEFT JOIN (
        SELECT DISTINCT "referenceId" FROM "SyncedVariant"
        WHERE shop = ${shop} AND environment = ${environment} AND "onSale"
      ) v USING ("referenceId")
      WHERE r.shop = ${shop} AND r.environment = ${environment}
      GROUP BY 1`,
  );
  const none = { on_sale: 0, not_synced: 0, withheld: 0, vanished: 0 };
  return { ...none, ...Object.fromEntries(counted.map(({ shown, count }) => [shown, count])) };
}

const counts = z.array(z.object({ categoryId: z.string(), count: z.number() }));

/** How many references of each category shoppers can buy. */
export async function countOnSale(shop: string, environment: Environment): Promise<z.infer<typeof counts>> {
  const found = await db.$queryRaw`
    SELECT r."categoryId", count(DISTINCT r."referenceId")::int AS count
    FROM "Reference" r JOIN "SyncedVariant" v USING (shop, environment, "referenceId")
    WHERE shop = ${shop} AND environment = ${environment} AND r.state = 'offered' AND r.problem IS NULL
      AND v."onSale"
    GROUP BY 1`;
  return counts.parse(found);
}

// How far the catalogue's set-up is, for the home page and Go live, and what the rule of sale withholds.

const setup = z.tuple([
  z.object({
    /** products of the shop that are in an insurance category of the account */
    insuredProducts: z.coerce.number(),
    /** products in a category that the account does not offer, or no longer offers: they get no insurance */
    unofferedProducts: z.coerce.number(),
    /** references that the shop sells */
    onSale: z.coerce.number(),
    /** status of the last sync: queued, running, done, failed, cancelled; null before the first */
    lastSync: z.string().nullable(),
    /** the last sync is not over */
    isSyncing: z.boolean(),
    lastSyncAt: z.coerce.date().nullable(),
    /** a product that can be insured, with a price that has an offer if any has; as its address names it, or null */
    example: z.string().nullable(),
  }),
]);
export type CatalogueSetup = z.infer<typeof setup>[0];

export async function catalogueSetup(shop: string, environment: Environment): Promise<CatalogueSetup> {
  const found = await db.$queryRaw`
    SELECT
      insured."insuredProducts", insured."unofferedProducts",
      (SELECT count(*) FROM "SyncedVariant"
        WHERE shop = ${shop} AND environment = ${environment} AND "onSale") AS "onSale",
      COALESCE((
        SELECT p.handle FROM "ShopProduct" AS p
        WHERE p.shop = ${shop} AND p.status = 'ACTIVE' AND EXISTS (
          SELECT FROM "Reference" AS r JOIN "SyncedVariant" AS v USING (shop, environment, "referenceId")
          WHERE r.shop = ${shop} AND r.environment = ${environment} AND r."categoryId" = p."categoryId"
            AND r.state = 'offered' AND v."onSale"
            AND p."minPriceMinor" BETWEEN r."bandMinMinor" AND r."bandMaxMinor") LIMIT 1), (
        SELECT handle FROM "ShopProduct"
        WHERE shop = ${shop} AND "categoryId" IS NOT NULL AND status = 'ACTIVE' LIMIT 1)) AS example,
      last.state AS "lastSync", last.active IS NOT NULL AS "isSyncing",
      coalesce(last."finishedAt", last."createdAt") AS "lastSyncAt"
    FROM (
      SELECT COALESCE(sum(products) FILTER (WHERE offered), 0) AS "insuredProducts",
        COALESCE(sum(products) FILTER (WHERE NOT offered), 0) AS "unofferedProducts"
      FROM (
        -- Before the first sync of the account its categories are not known.
        SELECT count(*) AS products, NOT EXISTS (
            SELECT FROM "Category" AS c WHERE c.shop = ${shop} AND c.environment = ${environment}
          ) OR EXISTS (
            SELECT FROM "Category" AS c WHERE c.shop = ${shop} AND c.environment = ${environment}
              AND c."categoryId" = p."categoryId" AND c.state = 'offered'
          ) AS offered
        FROM "ShopProduct" AS p WHERE p.shop = ${shop} AND p."categoryId" IS NOT NULL GROUP BY p."categoryId"
      ) AS counted
    ) AS insured LEFT JOIN LATERAL (
      SELECT * FROM "SyncRun" WHERE shop = ${shop} AND kind = 'catalogue' AND environment = ${environment}
      ORDER BY "createdAt" DESC LIMIT 1
    ) AS last ON true`;
  return setup.parse(found)[0];
}

const saleState = z.tuple([
  z.object({
    rule: saleRule,
    /** how many references of the account in use the rule withholds, by its reason */
    refused: z.partialRecord(z.enum(refusals), z.int()),
  }),
]);

/** The rule of sale of a shop that has the app, and what it withholds of that which the service offers. */
export async function readSaleState(shop: string): Promise<z.infer<typeof saleState>[0]> {
  const rows = await db.$queryRaw`
    SELECT ${saleRuleColumn(Prisma.sql`${shop}`)} AS rule, (
      SELECT COALESCE(jsonb_object_agg(problem, count), '{}') FROM (
        SELECT problem, count(*) FROM "Reference" AS r
        WHERE r.shop = ${shop} AND r.state = 'offered' AND problem IN ('currency', 'yearly_premium', 'monthly')
          AND environment = (SELECT m.environment FROM "Merchant" AS m WHERE m.shop = ${shop})
        GROUP BY problem) AS withheld) AS refused`;
  return saleState.parse(rows)[0];
}

// Plan variants, as the shop has them.

/** Records plan variants as they were written, in one statement for all. */
export async function upsertSyncedVariants(
  variants: readonly Omit<SyncedVariant, "band" | "updatedAt">[],
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "SyncedVariant" (shop, "variantId", "productId", environment, "referenceId", "onSale", "priceMinor",
      "updatedAt")
    SELECT r.shop, r."variantId", r."productId", r.environment, r."referenceId", r."onSale", r."priceMinor", now()
    FROM jsonb_to_recordset(${JSON.stringify(variants)}::jsonb) AS r(shop text, "variantId" text, "productId" text,
      environment text, "referenceId" text, "onSale" boolean, "priceMinor" int)
    ON CONFLICT (shop, "variantId") DO UPDATE SET "productId" = excluded."productId",
      environment = excluded.environment, "referenceId" = excluded."referenceId", "onSale" = excluded."onSale",
      "priceMinor" = excluded."priceMinor", "updatedAt" = now()`;
}

/** The price band as it was written onto each variant. */
export async function recordBands(
  shop: string,
  bands: readonly { variantId: string; band: string }[],
): Promise<void> {
  if (bands.length === 0) return;
  await db.$executeRaw`
    UPDATE "SyncedVariant" v SET band = r.band
    FROM jsonb_to_recordset(${JSON.stringify(bands)}::jsonb) AS r("variantId" text, band text)
    WHERE v.shop = ${shop} AND v."variantId" = r."variantId"`;
}

// Runs.

/** A little early, so that a refresh every 24 hours does not slip by an hour each day. */
const SLACK_MS = 10 * 60_000;

const DAY_HOURS = 24;

/**
 * The connected shops whose last run of the kind is old enough; the first one is the merchant's to start, and the first
 * catalogue run reads the products as well. The platform lets a shop create more variants after a day, whatever the
 * merchant wants of refreshes.
 */
export function dueForRefresh(now: Date, kind: RunKind): Prisma.Sql {
  const latest = new Date(now.getTime() + SLACK_MS).toISOString();
  return Prisma.sql`
    SELECT shop FROM (
      SELECT due.shop, last."createdAt",
        CASE WHEN last.waiting THEN LEAST(COALESCE(NULLIF(due.hours, 0), ${DAY_HOURS}), ${DAY_HOURS}) ELSE due.hours END
          AS hours
      FROM (
        SELECT shop, COALESCE(s."refreshHours", ${DAY_HOURS}) AS hours
        FROM (${connectedShops}) AS connected LEFT JOIN "CatalogueSettings" AS s USING (shop)
      ) AS due
      CROSS JOIN LATERAL (
        SELECT r."createdAt", r.kind = ${kind} AND COALESCE((r.counts ->> 'variants_waiting')::numeric, 0) > 0 AS waiting
        FROM "SyncRun" AS r WHERE r.shop = due.shop AND r.kind IN ('catalogue', ${kind})
        ORDER BY r.kind = ${kind} DESC, CASE WHEN r.kind = ${kind} THEN r."createdAt" END DESC, r."createdAt" LIMIT 1
      ) AS last
    ) AS runs
    WHERE hours > 0 AND "createdAt" + hours * interval '1 hour' <= ${latest}::timestamptz`;
}

const runEntries = z.array(
  z.object({
    id: z.string(),
    at: z.coerce.date(),
    kind: z.enum(["catalogue", "products"]),
    state: z.enum(["queued", "running", "done", "failed", "cancelled"]),
    environment: z.string(),
  }),
);
export type RunEntry = z.infer<typeof runEntries>[number];

export async function readRunEntries(
  { shop, timezone }: { shop: string; timezone: string },
  period: { start: string | null; end: string | null },
  query: TimelineQuery,
): Promise<RunEntry[]> {
  const conditions = [Prisma.sql`shop = ${shop}`, ...withinPeriod(Prisma.sql`"createdAt"`, period, timezone)];
  const found = await db.$queryRaw`
    SELECT id, "createdAt" AS at, kind, state, environment FROM "SyncRun" WHERE ${Prisma.join(conditions, " AND ")}
    ${timelineClause(query, {
      at: { column: Prisma.sql`"createdAt"` },
      id: { column: Prisma.sql`id` },
    })}`;
  return runEntries.parse(found);
}
