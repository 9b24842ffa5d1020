/** Decides once, when an order's delay has passed, which of its items get a quote. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Environment } from "#app/merchants/connection.ts";
import { digest } from "#app/merchants/data-key.server.ts";
import type { DataKey } from "#app/merchants/data-key.server.ts";
import { db } from "#app/platform/db.server.ts";
import { readCatalogueView } from "#app/plans/ledger/catalogue-view.server.ts";
import { isPlanLine } from "#app/plans/ledger/plan-lines.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import { blocksNewQuote } from "./states.ts";
import { uninsuredItems, unquotedItems } from "./uninsured-items.ts";
import type { UninsuredItem } from "./uninsured-items.ts";

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
  const found = order && email !== null ? await findItems(shop, order, digest(dataKey, email)) : null;
  const rows = found?.items.map((item) => ({ ...item, linkId: randomBytes(16).toString("base64url") }));
  // Staff may have requested a quote of the same item concurrently: theirs stays.
  await db.$executeRaw`
    WITH decided AS (
      UPDATE "Order" SET "leadsDecidedAt" = now()
      WHERE shop = ${shop} AND "orderId" = ${orderId} AND "leadsDecidedAt" IS NULL RETURNING shop, "orderId"
    )
    INSERT INTO "OrderLead" (shop, "orderId", environment, "delayHours", "lineId", "unitNumber", "productId", "variantId",
      "productTitle", "priceMinor", currency, "categoryId", "linkId")
    SELECT decided.shop, decided."orderId", ${found?.environment ?? ""}, ${delayHours}, item.*
    FROM decided, jsonb_to_recordset(${JSON.stringify(rows ?? [])}::jsonb) AS item("lineId" text, "unitNumber" int,
      "productId" text, "variantId" text, title text, "priceMinor" int, currency text, "categoryId" text, "linkId" text)
    ON CONFLICT DO NOTHING`;
}

async function findItems(
  shop: string,
  order: ShopOrder,
  emailDigest: string,
): Promise<{ items: UninsuredItem[]; environment: Environment } | null> {
  const { view, environment } = await readCatalogueView(shop, order);
  // A quote of the test account insures nothing, and a test order was bought by nobody.
  if (order.test !== (environment === "test")) return null;
  const known = await readKnown(shop, order.id, environment, emailDigest);
  if (!known?.mayBeQuoted) return null;
  const products = order.lines.filter((line) => !isPlanLine(line, view));
  const items = uninsuredItems(products, known.insured, view);
  const today = new Date().toISOString().slice(0, 10);
  const quotes = known.quotes.map((quote) => ({ ...quote, blocksNewQuote: blocksNewQuote(quote, today) }));
  const left = items.filter(({ variantId }) => !known.quotedByHand.includes(variantId));
  return { items: unquotedItems(left, quotes), environment };
}

const known = z.object({
  mayBeQuoted: z.boolean(),
  insured: z.array(z.string().nullable()),
  quotes: z.array(
    z.object({
      lineId: z.string(),
      unitNumber: z.int(),
      state: z.string(),
      expiresOn: z.string().nullable(),
    }),
  ),
  quotedByHand: z.array(z.string()),
});

/**
 * What is stored of the order and its customer. `quotes`: those that its items have or had, such as from staff;
 * `quotedByHand`: the variants that staff have quoted this customer, and that are still valid: a second quote would
 * only confuse.
 */
async function readKnown(
  shop: string,
  orderId: string,
  environment: Environment,
  emailDigest: string,
): Promise<z.infer<typeof known> | null> {
  const rows = await db.$queryRaw`
    SELECT o."acceptsMarketing" AND o."erasedAt" IS NULL AND o."cancelledAt" IS NULL AND o."paidAt" IS NOT NULL
        -- Its quotes may have been made in the lost time, and the service lists no quotes.
        AND NOT EXISTS (SELECT FROM "Restore" AS r WHERE r.at >= o."paidAt")
        AND NOT EXISTS (SELECT FROM "LeadSuppression" AS s WHERE s.shop = o.shop AND s."emailDigest" = ${emailDigest})
        AS "mayBeQuoted",
      (SELECT COALESCE(jsonb_agg(u."insuredLineId"), '[]') FROM "InsuredUnit" AS u
        WHERE u.shop = o.shop AND u."orderId" = o."orderId" AND u.wanted) AS insured,
      (SELECT COALESCE(jsonb_agg(jsonb_build_object('lineId', l."lineId", 'unitNumber', l."unitNumber", 'state', l.state,
          'expiresOn', l."expiresOn")), '[]') FROM "OrderLead" AS l
        WHERE l.shop = o.shop AND l."orderId" = o."orderId") AS quotes,
      (SELECT COALESCE(jsonb_agg(l."variantId"), '[]') FROM "Lead" AS l
        WHERE l.shop = o.shop AND l.environment = ${environment} AND l."emailDigest" = ${emailDigest}
          AND l.status = 'active' AND l."expiresOn" >= to_char(now(), 'YYYY-MM-DD')
          AND NOT EXISTS (SELECT FROM "OrderLead" AS x WHERE x.shop = l.shop AND x."leadId" = l."leadId"))
        AS "quotedByHand"
    FROM "Order" AS o WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return z.array(known).max(1).parse(rows)[0] ?? null;
}
