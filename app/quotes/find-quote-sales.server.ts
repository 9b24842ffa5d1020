/**
 * The contracts that customers made from quotes without an order, as staff make them. The insurer names the quote of a
 * contract in its list alone, so the contracts of a quote's customer are searched, as for the quotes of orders.
 */
import { InsuranceError } from "#app/insurance/errors.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { connectionIn } from "#app/merchants/insurance-connection.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { Quote } from "#app/platform/prisma/client.ts";
import { readKnownContracts } from "./of-orders/find-sales.server.ts";
import { planOfQuote } from "./of-orders/order-quotes.ts";
import { openQuoteCustomer } from "./quotes.server.ts";

/** Of one run: each customer is one request. The others follow with the next import. */
const MAX_QUOTES = 50;
const SEARCH_AGAIN_MS = 20 * 3_600_000;

/** After an import of the insurer's sales: those searched longest ago come first. */
export async function findSalesOfQuotes({ shop, environment }: Merchant): Promise<void> {
  const connection = await connectionIn(shop, environment);
  if (!connection) return;
  const now = new Date();
  const quotes = await db.$queryRaw<Pick<Quote, "quoteId">[]>`
    SELECT q."quoteId" FROM "Quote" AS q
    WHERE q.shop = ${shop} AND q.environment = ${environment} AND q."contractId" IS NULL
      AND q."sealedCustomer" IS NOT NULL AND q.status NOT IN ('sending', 'unknown')
      AND (q."searchedAt" IS NULL OR q."searchedAt" < ${new Date(now.getTime() - SEARCH_AGAIN_MS)})
      AND NOT EXISTS (SELECT FROM "OrderQuote" AS o WHERE o.shop = q.shop AND o."quoteId" = q."quoteId")
    ORDER BY q."searchedAt" NULLS FIRST, q."createdAt" DESC LIMIT ${MAX_QUOTES}`;
  const where = { shop, environment, quoteId: { in: quotes.map(({ quoteId }) => quoteId) } };
  const rows = await db.quote.findMany({ where });
  const key = await dataKeyOf(shop);
  const addressed = rows.flatMap((row) =>
    row.sealedCustomer === null
      ? []
      : [{ ...row, email: openQuoteCustomer(key, row.sealedCustomer).customerEmail }],
  );
  for (const [email, ofCustomer] of Map.groupBy(addressed, (quote) => quote.email)) {
    try {
      const { items: plans } = await connection.client.plans.listReadable({ customerEmail: email });
      const { taken, ...known } = await readKnownContracts(shop, environment, plans);
      for (const { quoteId, categoryId, priceMinor, createdAt } of ofCustomer) {
        const sought = { quoteId, categoryId, priceMinor, madeOn: createdAt.toISOString().slice(0, 10) };
        const plan = planOfQuote(
          sought,
          plans.filter(({ id }) => !taken.has(id)),
          known,
        );
        if (plan) taken.add(plan.id);
        await db.quote.updateMany({
          where: { shop, environment, quoteId },
          data: { searchedAt: now, ...(plan ? { contractId: plan.id, status: "sold" } : {}) },
        });
      }
    } catch (error) {
      if (!(error instanceof InsuranceError)) throw error;
      log.warn({ err: error, shop }, "Failed to search the contracts of a quote's customer");
    }
  }
}
