/** How far the catalogue's set-up is, for the home page. */
import { z } from "zod";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";

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
