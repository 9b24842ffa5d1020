/** The catalogue's knowledge of a paid order: which lines are plans, and which products could have been insured. */
import { z } from "zod";
import { billing } from "#app/insurance/fields.ts";
import { environment } from "#app/merchants/connection.ts";
import { accountsInUse, accountsInUseSql, saleRule, saleRuleColumn } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";

const referenceOfVariant = z.object({
  variantId: z.string(),
  environment,
  referenceId: z.string(),
  categoryId: z.string(),
  termMonths: z.int(),
  billing,
  priceMinor: z.int(),
  /** the price in the shop: the offer's price at the last sync */
  soldAtMinor: z.int(),
  currency: z.string(),
  bandMinMinor: z.int(),
  bandMaxMinor: z.int(),
  /** the products with this offer; empty: all products */
  productReferenceIds: z.array(z.string()),
  /**
   * another store sold it, or had the shop at the time of the order: the connected store issues no contract for it
   */
  isSoldByPreviousStore: z.boolean(),
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
    /** the references that the variants sell or sold; variants without a plan are missing */
    found: z.array(referenceOfVariant),
    /** the insurance categories of each product: its own first, then the formulas beside it */
    categories: z.array(z.object({ productId: z.string(), categoryIds: z.array(z.string()).min(1) })),
    /** the price bands with offers in these categories */
    bands: z.array(offeredBand),
    /** the sale rule; null: the shop is unknown */
    saleRule: saleRule.nullable(),
    /** the format of the product page's offer as the merchant saved it; null: nothing was saved */
    productFormat: z.string().nullable(),
    /** null: the shop is unknown */
    accounts: accountsInUse.nullable(),
    /** the account of the stored order; null: the order is new */
    storedIn: environment.nullable(),
  }),
]);
export type OrderCatalogue = z.infer<typeof orderCatalogue>[0];

/**
 * Finds the references and categories for an order's variants and products. One statement, because every paid order
 * needs it.
 * @param at limits the result to what was on offer at that moment
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
        ${isSoldByPreviousStore(at)} AS "isSoldByPreviousStore"
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
        -- Shopify gives the time of an order in whole seconds.
        AND date_trunc('second', "firstSeenAt") <= ${at}::timestamptz
        AND (state = 'offered' OR "vanishedAt" > ${at}::timestamptz)
    )
    SELECT (SELECT COALESCE(jsonb_agg(found), '[]') FROM found) AS found,
      (SELECT COALESCE(jsonb_agg(categories), '[]') FROM categories) AS categories,
      (SELECT COALESCE(jsonb_agg(bands), '[]') FROM bands) AS bands,
      ${saleRuleColumn(Prisma.sql`${shop}`)} AS "saleRule", ${accountsInUseSql(shop)} AS accounts,
      (SELECT settings #>> '{touchpoints,product_page,format}' FROM "StorefrontSettings" WHERE shop = ${shop})
        AS "productFormat",
      (SELECT environment FROM "Order" WHERE shop = ${shop} AND "orderId" = ${orderId}) AS "storedIn"`;
  return orderCatalogue.parse(rows)[0];
}

/**
 * An SQL condition: at that moment another store sold the variant `v`, or the connected store did not offer its
 * reference `r` yet.
 */
const isSoldByPreviousStore = (at: Date) => Prisma.sql`EXISTS (
  SELECT FROM "ConnectedStore" AS s
  WHERE s.shop = v.shop AND s.environment = v.environment
    AND (s.since >= ${at}::timestamptz OR s.since >= r."vanishedAt"))`;

const accountOfPlan = z.array(z.object({ environment, isSoldByPreviousStore: z.boolean() })).max(1);

/** The account that sold a variant as a plan at that moment. Null: the variant is no plan. */
export async function findAccountOfPlan(
  shop: string,
  variantId: string,
  at: Date,
): Promise<z.infer<typeof accountOfPlan>[number] | null> {
  const rows = await db.$queryRaw`
    SELECT v.environment, ${isSoldByPreviousStore(at)} AS "isSoldByPreviousStore"
    FROM "SyncedVariant" AS v
    LEFT JOIN "Reference" AS r
      ON r.shop = v.shop AND r.environment = v.environment AND r."referenceId" = v."referenceId"
    WHERE v.shop = ${shop} AND v."variantId" = ${variantId}`;
  return accountOfPlan.parse(rows)[0] ?? null;
}
