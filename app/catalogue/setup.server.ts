/**
 * The set-up status of the catalogue for the home page and Go live, and the references that the sale rule withholds.
 */
import { z } from "zod";
import type { Environment } from "#app/merchants/connection.ts";
import { saleRule, saleRuleColumn } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { refusals } from "../../extensions/sale-rule.ts";

const setup = z.tuple([
  z.object({
    /** products of the shop in an insurance category of the account */
    insuredProducts: z.coerce.number(),
    /** products without insurance, because the account does not offer their category, or no longer offers it */
    unofferedProducts: z.coerce.number(),
    /** references that the shop sells */
    onSale: z.coerce.number(),
    /** status of the last sync: queued, running, done, failed, cancelled; null before the first */
    lastSync: z.string().nullable(),
    /** whether the last sync is queued or running */
    isSyncing: z.boolean(),
    lastSyncAt: z.coerce.date().nullable(),
    /** the handle of a product that can be insured, preferably at a price with an offer, or null */
    example: z.string().nullable(),
  }),
]);
export type CatalogueSetup = z.infer<typeof setup>[0];

export async function catalogueSetup(shop: string, environment: Environment): Promise<CatalogueSetup> {
  const setupRows = await db.$queryRaw`
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
  return setup.parse(setupRows)[0];
}

const saleState = z.tuple([
  z.object({
    rule: saleRule,
    /** the number of references of the account in use that the rule withholds, by reason */
    refused: z.partialRecord(z.enum(refusals), z.int()),
  }),
]);

/** The sale rule of a shop with the app, and the offered references that it withholds. */
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
