/** Decides once, when an order's time has come, which of its pieces get a quote. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Environment } from "#app/merchants/connection.ts";
import { digest } from "#app/merchants/data-key.server.ts";
import type { DataKey } from "#app/merchants/data-key.server.ts";
import { db } from "#app/platform/db.server.ts";
import { lastRestore } from "#app/plans/issuing/restore.server.ts";
import { readCatalogueView } from "#app/plans/ledger/catalogue-view.server.ts";
import { isPlanLine } from "#app/plans/ledger/plan-lines.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import { stands } from "./states.ts";
import { uninsuredPieces, unquotedPieces } from "./uninsured-pieces.ts";
import type { QuoteOfPiece, UninsuredPiece } from "./uninsured-pieces.ts";

/**
 * @param order as the shop shows it now, and as it is stored by now; null: it shows none
 * @param email where its buyer may be written to; null: what the service needs of them is not known
 */
export async function decideOrderLeads(
  shop: string,
  orderId: string,
  order: ShopOrder | null,
  { email, dataKey, delayHours }: { email: string | null; dataKey: DataKey; delayHours: number },
): Promise<void> {
  const found = order && email !== null ? await findPieces(shop, order, digest(dataKey, email)) : null;
  await db.$transaction(async (transaction) => {
    const { count } = await transaction.order.updateMany({
      where: { shop, orderId, leadsDecidedAt: null },
      data: { leadsDecidedAt: new Date() },
    });
    if (count === 0 || found === null) return;
    await transaction.orderLead.createMany({
      data: found.pieces.map(({ title, ...piece }) => ({
        ...{ shop, orderId, delayHours, environment: found.environment, productTitle: title },
        linkId: randomBytes(16).toString("base64url"),
        ...piece,
      })),
      // Staff may have asked for a quote of the same piece at this moment.
      skipDuplicates: true,
    });
  });
}

async function findPieces(
  shop: string,
  order: ShopOrder,
  emailDigest: string,
): Promise<{ pieces: UninsuredPiece[]; environment: Environment } | null> {
  const stored = await db.order.findUnique({
    where: { shop_orderId: { shop, orderId: order.id } },
    select: { acceptsMarketing: true, erased: true, cancelledAt: true, paidAt: true },
  });
  if (!stored?.acceptsMarketing || stored.erased || stored.cancelledAt !== null || stored.paidAt === null)
    return null;
  // Its quotes may have been made in the time that was lost, and nobody can ask the service for quotes.
  const restoredAt = await lastRestore();
  if (restoredAt !== null && stored.paidAt <= restoredAt) return null;
  if ((await db.leadSuppression.count({ where: { shop, emailDigest } })) > 0) return null;
  const { view, environment } = await readCatalogueView(shop, order);
  // A quote of the test account insures nothing, and a test order was bought by nobody.
  if (order.test !== (environment === "test")) return null;
  const units = await db.insuredUnit.findMany({
    where: { shop, orderId: order.id, wanted: true },
    select: { insuredLineId: true },
  });
  const products = order.lines.filter((line) => !isPlanLine(line, view));
  const insured = units.map(({ insuredLineId }) => insuredLineId);
  const quoted = await quotedByHand(shop, environment, emailDigest);
  const pieces = uninsuredPieces(products, insured, view).filter(({ variantId }) => !quoted.has(variantId));
  return { pieces: unquotedPieces(pieces, await readQuotes(shop, order.id)), environment };
}

/** The quotes that the order's pieces have or had, such as from staff. */
export async function readQuotes(shop: string, orderId: string): Promise<QuoteOfPiece[]> {
  const rows = await db.orderLead.findMany({
    where: { shop, orderId },
    select: { lineId: true, unitNumber: true, state: true, expiresOn: true },
  });
  const today = new Date().toISOString().slice(0, 10);
  return rows.map((row) => ({ ...row, stands: stands(row, today) }));
}

const variants = z.array(z.object({ variantId: z.string() }));

/** What staff have quoted this customer, and is still valid: a second quote would only confuse. */
async function quotedByHand(
  shop: string,
  environment: Environment,
  emailDigest: string,
): Promise<Set<string>> {
  const rows = await db.$queryRaw`
    SELECT l."variantId" FROM "Lead" AS l
    WHERE l.shop = ${shop} AND l.environment = ${environment} AND l."emailDigest" = ${emailDigest}
      AND l.status = 'active' AND l."expiresOn" >= to_char(now(), 'YYYY-MM-DD')
      AND NOT EXISTS (SELECT FROM "OrderLead" AS o WHERE o.shop = l.shop AND o."leadId" = l."leadId")`;
  return new Set(variants.parse(rows).map(({ variantId }) => variantId));
}
