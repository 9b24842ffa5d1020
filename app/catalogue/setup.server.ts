/** How far the catalogue's set-up is, for the home page and Go live, and what the rule of sale withholds. */
import { z } from "zod";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import { type Refusal, refusalOf, type SaleRule } from "../../extensions/sale-rule.ts";
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

const refused = z.array(
  z.object({ problem: z.enum(["currency", "yearly_premium", "monthly"]), count: z.coerce.number() }),
);

/** How many references that the service offers the rule of sale withholds, by its reason. */
export async function countRefusedReferences(
  shop: string,
  environment: Environment,
): Promise<Partial<Record<Refusal, number>>> {
  const rows = await db.$queryRaw`
    SELECT problem, count(*) AS count FROM "Reference"
    WHERE shop = ${shop} AND environment = ${environment} AND state = 'offered'
      AND problem IN ('currency', 'yearly_premium', 'monthly')
    GROUP BY problem`;
  return Object.fromEntries(refused.parse(rows).map(({ problem, count }) => [problem, count]));
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
