/** The references that the insurer offers in some categories, to explain a product's offers. */
import { z } from "zod";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";

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

/** The references that the insurer offers in these categories, with their problems, shortest term first. */
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
