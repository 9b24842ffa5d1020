/** The offers of an order's formulas and terms for products that came into it later (exchanges.ts). */
import { z } from "zod";
import type { Transaction } from "#app/platform/db.server.ts";
import type { LaterLine } from "./conclude.ts";
import type { Order } from "./evolve.ts";
import type { Replacement } from "./exchanges.ts";
import { mayBeSold } from "./quotes.ts";

const offered = z.array(
  z.object({
    lineId: z.string(),
    offers: z.array(
      z.object({
        soldReferenceId: z.string(),
        fitting: z.array(z.object({ referenceId: z.string(), priceMinor: z.int() })),
      }),
    ),
  }),
);

export async function readReplacements(
  tx: Transaction,
  shop: string,
  order: Order,
  lines: readonly LaterLine[],
): Promise<Replacement[]> {
  const environment = order.placed?.environment ?? "test";
  const sold = [...new Set(order.items.map((item) => item.sold.referenceId))];
  const asked = lines.map(({ lineId, productId, variantId, listPriceMinor, currency }) => ({
    lineId,
    productId,
    variantId,
    listPriceMinor,
    currency,
  }));
  const rows = await tx.$queryRaw`
    SELECT line."lineId", (
        SELECT COALESCE(jsonb_agg(jsonb_build_object('soldReferenceId', sold."referenceId", 'fitting', (
          SELECT COALESCE(jsonb_agg(jsonb_build_object('referenceId', r."referenceId", 'priceMinor', r."priceMinor")
            ORDER BY r."priceMinor" <> sold."priceMinor", r."referenceId" <> sold."referenceId", r."referenceId"), '[]')
          FROM "Reference" AS r
          WHERE r.shop = sold.shop AND r.environment = sold.environment AND r."categoryId" = sold."categoryId"
            AND r.formula IS NOT DISTINCT FROM sold.formula
            AND r."termMonths" = sold."termMonths" AND r.billing = sold.billing AND r.currency = sold.currency
            AND r.currency = line.currency AND r.state = 'offered' AND r.problem IS NULL
            AND line."listPriceMinor" BETWEEN r."bandMinMinor" AND r."bandMaxMinor"
            AND (cardinality(r."productReferenceIds") = 0 OR line."variantId" = ANY(r."productReferenceIds"))))), '[]')
        FROM "Reference" AS sold
        WHERE sold.shop = ${shop} AND sold.environment = ${environment} AND sold."referenceId" = ANY(${sold})
          AND EXISTS (
            SELECT FROM "ShopProduct" AS p LEFT JOIN "CategoryRule" AS rule
              ON rule.shop = p.shop AND rule."categoryId" = p."categoryId"
            WHERE p.shop = ${shop} AND p."productId" = line."productId"
              AND (p."categoryId" = sold."categoryId" OR sold."categoryId" = ANY(rule."otherCategoryIds")))) AS offers
    FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) AS line("lineId" text, "productId" text, "variantId" text,
      "listPriceMinor" int, currency text)`;
  const found = offered.parse(rows);
  return lines.map(({ lineId, title, variantId, listPriceMinor, currency, free }) => {
    const { offers = [] } = found.find((each) => each.lineId === lineId) ?? {};
    const quoted = order.quotes.filter((quote) => quote.lineId === lineId && mayBeSold(quote)).length;
    return { lineId, title, variantId, priceMinor: listPriceMinor, currency, free: free - quoted, offers };
  });
}
