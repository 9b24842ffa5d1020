/** Which claims customers were notified of, and when the account's claims were checked last. */
import { z } from "zod";
import type { Environment } from "#app/merchants/connection.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { type ContractClaim, contractClaim } from "./claims.ts";

/** These claims are known, and told. */
export async function storeAnnounced(
  tx: Transaction,
  shop: string,
  of: Environment,
  contractId: string,
  claims: ContractClaim[],
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO "ContractClaims" (shop, environment, "contractId", claims, announced, "readAt")
    SELECT ${shop}, ${of}, ${contractId}, row.claims, row.claims, now()
    FROM (SELECT ${JSON.stringify(claims)}::jsonb AS claims) AS row
    ON CONFLICT (shop, environment, "contractId") DO UPDATE
    SET claims = excluded.claims, announced = excluded.announced, "readAt" = excluded."readAt"`;
}

/** When the account's claims were checked last; null: never. */
export async function readClaimsCheckedAt(shop: string, of: Environment): Promise<Date | null> {
  const where = { shop_environment: { shop, environment: of } };
  const row = await db.claimsCheck.findUnique({ where, select: { checkedAt: true } });
  return row?.checkedAt ?? null;
}

export async function saveClaimsCheckedAt(shop: string, of: Environment, checkedAt: Date): Promise<void> {
  const row = { shop, environment: of, checkedAt };
  await db.claimsCheck.upsert({
    where: { shop_environment: { shop, environment: of } },
    create: row,
    update: row,
  });
}

const contractRows = z.array(
  z.object({
    contractId: z.string(),
    orderId: z.string(),
    orderName: z.string(),
    shopName: z.string(),
    /** the order's language, or the shop's */
    language: z.string(),
    planTitle: z.string(),
    insuredTitle: z.string().nullable(),
    sealedCustomer: z.string().nullable(),
    isOfQuote: z.boolean(),
    /** the customer of its quote */
    sealedQuote: z.string().nullable(),
    announced: z.array(contractClaim).nullable(),
  }),
);
export type ClaimContract = z.infer<typeof contractRows>[number];

/**
 * The shop's contracts that the insurer names, with the states of their claims that the customer was notified of.
 * Orders whose customer was erased are left out.
 */
export async function readClaimContracts(
  shop: string,
  of: Environment,
  contractIds: string[],
): Promise<ClaimContract[]> {
  const rows = await db.$queryRaw`
    SELECT c."contractId", c."orderId", c."planTitle", c."insuredTitle", o.name AS "orderName", o."sealedCustomer", c."isOfQuote", c."sealedQuote",
      COALESCE(NULLIF(m.name, ''), m.shop) AS "shopName", COALESCE(o.language, m.locale) AS language, k.announced
    FROM (
      SELECT shop, environment, "contractId", "orderId", "planTitle", "insuredTitle", false AS "isOfQuote",
        NULL AS "sealedQuote"
      FROM "InsuredItem"
      -- What customers took from quotes: the order of one is stored without its customer.
      UNION ALL SELECT l.shop, l.environment, l."contractId", l."orderId", l."soldTitle", l."productTitle",
        true, quote."sealedCustomer"
      FROM "OrderQuote" AS l JOIN "Quote" AS quote
        ON quote.shop = l.shop AND quote.environment = l.environment AND quote."quoteId" = l."quoteId"
      WHERE l.state = 'sold' AND l."soldTitle" IS NOT NULL
    ) AS c
      JOIN "Order" AS o ON o.shop = c.shop AND o."orderId" = c."orderId"
      JOIN "Merchant" AS m ON m.shop = c.shop
      LEFT JOIN "ContractClaims" AS k
        ON k.shop = c.shop AND k.environment = c.environment AND k."contractId" = c."contractId"
    WHERE c.shop = ${shop} AND c.environment = ${of} AND c."contractId" = ANY(${contractIds})
      AND o."erasedAt" IS NULL`;
  return contractRows.parse(rows);
}
