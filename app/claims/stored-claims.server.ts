/** The claims of contracts as the insurer returned them last: kept for its outages, exported and deleted with customers. */
import { z } from "zod";
import type { Environment } from "#app/merchants/connection.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { type ContractClaim, contractClaim } from "./claims.ts";

/** The shop's contracts with their orders: those of insured items, and those that customers made from quotes. */
const contractsOf = (shop: string) => Prisma.sql`(
  SELECT shop, environment, "contractId", "orderId" FROM "InsuredItem"
    WHERE shop = ${shop} AND "contractId" IS NOT NULL
  UNION ALL SELECT shop, environment, "contractId", "orderId" FROM "OrderQuote"
    WHERE shop = ${shop} AND "contractId" IS NOT NULL)`;

/** What the insurer answered, by contract. Of an order whose customer was erased, nothing is kept. */
export async function storeClaims(
  shop: string,
  environment: Environment,
  answered: ReadonlyMap<string, ContractClaim[]>,
): Promise<void> {
  if (answered.size === 0) return;
  const rows = [...answered].map(([contractId, claims]) => ({ contractId, claims }));
  await db.$executeRaw`
    INSERT INTO "ContractClaims" (shop, environment, "contractId", claims, "readAt")
    SELECT ${shop}, ${environment}, row."contractId", row.claims, now()
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row("contractId" text, claims jsonb)
    WHERE NOT EXISTS (SELECT FROM ${contractsOf(shop)} AS c
      JOIN "Order" AS o ON o.shop = c.shop AND o."orderId" = c."orderId"
      WHERE c.environment = ${environment} AND c."contractId" = row."contractId" AND o."erasedAt" IS NOT NULL)
    ON CONFLICT (shop, environment, "contractId") DO UPDATE
    SET claims = excluded.claims, "readAt" = excluded."readAt"`;
}

const orderClaims = z.array(
  z.object({ orderId: z.string(), contractId: z.string(), claims: z.array(contractClaim) }),
);

/** The claims that are kept on the contracts of orders, for `customers/data_request`. */
export async function findOrderClaims(
  shop: string,
  orderIds: string[],
): Promise<z.infer<typeof orderClaims>> {
  const rows = await db.$queryRaw`
    SELECT c."orderId", c."contractId", k.claims
    FROM ${contractsOf(shop)} AS c JOIN "ContractClaims" AS k
      ON k.shop = c.shop AND k.environment = c.environment AND k."contractId" = c."contractId"
    WHERE c."orderId" = ANY(${orderIds})
    ORDER BY c."orderId", c."contractId"`;
  return orderClaims.parse(rows);
}

/** Deletes the claims on the contracts of orders, with their customers. */
export async function deleteOrderClaims(tx: Transaction, shop: string, orderIds: string[]): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM "ContractClaims" AS k USING ${contractsOf(shop)} AS c
    WHERE k.shop = ${shop} AND k.environment = c.environment AND k."contractId" = c."contractId"
      AND c."orderId" = ANY(${orderIds})`;
}
