/** Decides, once, which items of an order get quotes by themselves. */
import { z } from "zod";
import { type DataKey, digest } from "#app/merchants/data-key.server.ts";
import { appendToOrder, type Locked } from "#app/orders/book/book.server.ts";
import { ownEndReasonOf } from "#app/orders/book/evolve.ts";
import { isPlanLine } from "#app/orders/book/sale-check.ts";
import { readCatalogueView } from "#app/orders/catalogue-view.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import {
  blocksNewQuote,
  quoteRefusalOf,
  type UninsuredItem,
  uninsuredItems,
  unquotedItems,
} from "./order-quotes.ts";
import { planQuote } from "./quote-requests.server.ts";

interface DecisionContext {
  /** where its buyer may be written to; null: what the insurer needs of them is not known */
  email: string | null;
  dataKey: DataKey;
  timezone: string;
  delayHours: number;
}

/** @param order as the shop shows it now, and as it is stored by now; null: it shows none */
export async function decideOrderQuotes(
  shop: string,
  orderId: string,
  order: ShopOrder | null,
  { email, dataKey, timezone, delayHours }: DecisionContext,
): Promise<void> {
  const catalogue = order && email !== null ? await readCatalogueView(shop, order) : null;
  await appendToOrder(
    shop,
    orderId,
    async (locked) => {
      if (locked.order.quotesDecidedAt !== null) return null;
      const decided = { type: "quotes_decided" } as const;
      if (order === null || email === null || catalogue === null) return [decided];
      const emailDigest = digest(dataKey, email);
      const items = await findItems(locked, shop, order, { ...catalogue, timezone, emailDigest });
      const { environment } = catalogue;
      const origin = { environment, delayHours, touchpoint: null };
      return [decided, ...items.map((item) => planQuote(item, origin))];
    },
    { isWorker: true },
  );
}

type Catalogue = Awaited<ReturnType<typeof readCatalogueView>>;

async function findItems(
  { order: known, now, tx }: Locked,
  shop: string,
  order: ShopOrder,
  { view, environment, timezone, emailDigest }: Catalogue & { timezone: string; emailDigest: string },
): Promise<UninsuredItem[]> {
  // A quote of the test account insures nothing, and a test order has no buyer.
  if (order.test !== (environment === "test")) return [];
  if (known.paid === null || known.cancelledAt !== null || known.erasedAt !== null) return [];
  if (quoteRefusalOf(order, view.saleRule, timezone) !== null) return [];
  const today = toLocalDay(timezone, now);
  const customer = await readCustomer(tx, shop, order.id, { environment, emailDigest, today });
  if (!customer.mayBeQuoted) return [];
  // Who has withdrawn from insurance is not sent a quote for it.
  const insuring = known.items.filter(
    (item) => ownEndReasonOf(known, item) === null || item.withdrawal !== null,
  );
  const insured = insuring.map((item) => item.insured?.lineId ?? null);
  const products = order.lines.filter((line) => !isPlanLine(line, view));
  const items = uninsuredItems(products, insured, view).filter(
    ({ variantId }) => !customer.quotedByHand.includes(variantId),
  );
  return unquotedItems(
    items,
    known.quotes.map((quote) => ({ ...quote, blocksNewQuote: blocksNewQuote(quote, today) })),
  );
}

const customerRow = z.object({
  mayBeQuoted: z.boolean(),
  /** the variants that staff have quoted them, and that are still valid or may exist: a second quote would only confuse */
  quotedByHand: z.array(z.string()),
});

async function readCustomer(
  tx: Transaction,
  shop: string,
  orderId: string,
  { environment, emailDigest, today }: { environment: string; emailDigest: string; today: string },
): Promise<z.infer<typeof customerRow>> {
  const rows = await tx.$queryRaw`
    SELECT o."acceptsMarketing"
        -- Its quotes may have been made in the lost time, and the insurer lists no quotes.
        AND NOT EXISTS (SELECT FROM "Restore" AS r WHERE r.at >= o."paidAt")
        AND NOT EXISTS (SELECT FROM "QuoteSuppression" AS s WHERE s.shop = o.shop AND s."emailDigest" = ${emailDigest})
        AS "mayBeQuoted",
      (SELECT COALESCE(jsonb_agg(l."variantId"), '[]') FROM "Quote" AS l
        WHERE l.shop = o.shop AND l.environment = ${environment} AND l."emailDigest" = ${emailDigest}
          AND (l.status IN ('sending', 'unknown') OR (l.status = 'active' AND l."expiresOn" >= ${today}))
          AND NOT EXISTS (SELECT FROM "OrderQuote" AS x
            WHERE x.shop = l.shop AND x.environment = l.environment AND x."quoteId" = l."quoteId"))
        AS "quotedByHand"
    FROM "Order" AS o WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  const [row] = z.array(customerRow).parse(rows);
  return row ?? { mayBeQuoted: false, quotedByHand: [] };
}
