/**
 * Writes an order's quotes into a metafield of the order, which the order's page shows. Nothing personal: the links lead
 * to the app, which redirects only while the quote may be used.
 */
import { z } from "zod";
import { environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import { writeOrderMetafield } from "#app/shopify/order-metafield.server.ts";
import type { OrderQuotes, Quote } from "../../../extensions/cover/src/quotes.ts";
import { linkOf } from "./link.server.ts";
import { lowestOffer, MAX_TITLE, quoteOffers } from "./shown-quote.ts";
import { cutText } from "#app/platform/storable-text.ts";

const quoted = z.object({
  environment,
  leadsDigest: z.string().nullable(),
  canWriteOrders: z.boolean(),
  open: z.array(
    z.object({
      linkId: z.string(),
      productTitle: z.string(),
      expiresOn: z.string(),
      offers: quoteOffers,
    }),
  ),
});

/**
 * Safe to repeat: an unchanged value is not written again. What the shop refuses, such as an order that was deleted,
 * waits for the next change.
 * @throws AdminUnavailable, NoAccess: not done, try again
 */
export async function publishOrderLeads(shop: string, orderId: string): Promise<void> {
  const order = await readQuoted(shop, orderId);
  if (!order?.canWriteOrders) return;
  const isEmpty = order.open.length === 0;
  if (isEmpty && order.leadsDigest === null) return;
  const metafield = { key: "quotes", content: orderQuotes(shop, order), written: order.leadsDigest } as const;
  const leadsDigest = await writeOrderMetafield(shop, orderId, metafield);
  if (leadsDigest !== null) await db.order.updateMany({ where: { shop, orderId }, data: { leadsDigest } });
}

function orderQuotes(shop: string, { environment: account, open }: z.infer<typeof quoted>): OrderQuotes {
  const [first] = open;
  return {
    isTest: account === "test",
    stopUrl: first ? `${linkOf(shop, first.linkId)}?stop` : null,
    quotes: open.map(({ linkId, productTitle, expiresOn, offers }): Quote => {
      const lowest = lowestOffer(offers);
      return {
        product: cutText(productTitle, MAX_TITLE),
        url: linkOf(shop, linkId),
        until: expiresOn.slice(0, 10),
        fromMinor: lowest.priceMinor,
        currency: lowest.currencyCode,
        monthly: lowest.billing === "monthly",
      };
    }),
  };
}

async function readQuoted(shop: string, orderId: string): Promise<z.infer<typeof quoted> | null> {
  const rows = await db.$queryRaw`
    SELECT o.environment, o."leadsDigest",
      COALESCE((SELECT m."canWriteOrders" FROM "Merchant" AS m WHERE m.shop = o.shop), false) AS "canWriteOrders", (
        SELECT COALESCE(jsonb_agg(to_jsonb(open) ORDER BY open."lineId", open."unitNumber"), '[]') FROM (
          SELECT l."lineId", l."unitNumber", l."linkId", l."productTitle", l."expiresOn", lead.offers
          FROM "OrderLead" AS l JOIN "Lead" AS lead
            ON lead.shop = l.shop AND lead.environment = l.environment AND lead."leadId" = l."leadId"
          WHERE l.shop = o.shop AND l."orderId" = o."orderId" AND l.state = 'open'
            AND lead."sealedCustomer" IS NOT NULL AND left(l."expiresOn", 10) >= to_char(now(), 'YYYY-MM-DD')
        ) AS open) AS open
    FROM "Order" AS o WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return z.array(quoted).max(1).parse(rows)[0] ?? null;
}
