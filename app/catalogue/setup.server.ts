/** How far the catalogue's set-up is, for the home page and Go live, and what the rule of sale withholds. */
import { z } from "zod";
import type { Environment } from "#app/merchants/connection.ts";
import { saleRule, saleRuleColumn } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { refusalOf, refusals, type SaleRule } from "../../extensions/sale-rule.ts";
import { referenceFromRow } from "./references/references.server.ts";

/** Whether the shop has plan products, on sale or not. */
export async function hasPlanProducts(shop: string): Promise<boolean> {
  return (await db.syncedProduct.findFirst({ where: { shop }, select: { productId: true } })) !== null;
}

const setup = z.tuple([
  z.object({
    /** products of the shop that are in an insurance category */
    insuredProducts: z.coerce.number(),
    /** references that the shop sells */
    onSale: z.coerce.number(),
    /** status of the last sync: queued, running, done, failed, cancelled; null before the first */
    lastSync: z.string().nullable(),
    /** the last sync is not over */
    isSyncing: z.boolean(),
    lastSyncAt: z.coerce.date().nullable(),
    /** a product that can be insured, as its address in the shop names it; null where none can */
    example: z.string().nullable(),
  }),
]);
export type CatalogueSetup = z.infer<typeof setup>[0];

export async function catalogueSetup(shop: string, environment: Environment): Promise<CatalogueSetup> {
  const found = await db.$queryRaw`
    SELECT
      (SELECT count(*) FROM "ShopProduct" WHERE shop = ${shop} AND "categoryId" IS NOT NULL) AS "insuredProducts",
      (SELECT count(*) FROM "SyncedVariant"
        WHERE shop = ${shop} AND environment = ${environment} AND "onSale") AS "onSale",
      (SELECT handle FROM "ShopProduct"
        WHERE shop = ${shop} AND "categoryId" IS NOT NULL AND status = 'ACTIVE' LIMIT 1) AS example,
      last.state AS "lastSync", last.active IS NOT NULL AS "isSyncing",
      coalesce(last."finishedAt", last."createdAt") AS "lastSyncAt"
    FROM (SELECT 1) AS one LEFT JOIN LATERAL (
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

/** Whether the last sync sold, or withheld, a reference that the rule of sale says otherwise of by now. */
export async function isSaleRuleOutOfStep(
  shop: string,
  environment: Environment,
  rule: SaleRule,
): Promise<boolean> {
  const rows = await db.reference.findMany({
    where: {
      shop,
      environment,
      state: "offered",
      source: "service",
      OR: [{ problem: null }, { problem: { in: ["yearly_premium", "monthly"] } }],
    },
  });
  return rows.some(
    (row) => (refusalOf(rule, { cover: referenceFromRow(row) }) !== null) !== (row.problem !== null),
  );
}
