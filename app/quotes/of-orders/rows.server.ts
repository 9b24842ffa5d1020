/** The quotes of an order's items in the database: which are pending, requested once and revoked, and their figures. */
import { z } from "zod";
import { environment, type Environment } from "#app/merchants/connection.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { touchpoints } from "#app/shopify/touchpoints.ts";
import {
  ON_REQUEST,
  type OrderQuoteReason,
  type OrderQuoteState,
  orderQuoteStates,
  quoteOffers,
  type UninsuredItem,
} from "./order-quotes.ts";
import {
  isExpired,
  isInsurable,
  quotablePaidSince,
  shopsWithQuotes,
  shopToday,
  surplusQuotes,
  uninsured,
} from "#app/orders/quote-conditions.server.ts";
import { SENDING_MS } from "#app/quotes/quotes.ts";

export const orderQuoteRow = z.object({
  shop: z.string(),
  orderId: z.string(),
  lineId: z.string(),
  itemNumber: z.int(),
  state: z.enum(orderQuoteStates),
  environment,
  variantId: z.string(),
  productTitle: z.string(),
  priceMinor: z.int(),
  currency: z.string(),
  categoryId: z.string(),
  attempt: z.int(),
});
export type OrderQuoteRow = z.infer<typeof orderQuoteRow>;

export async function listDue(shop: string, orderId: string): Promise<OrderQuoteRow[]> {
  const rows = await db.orderQuote.findMany({
    where: { shop, orderId, state: "due" },
    orderBy: [{ lineId: "asc" }, { itemNumber: "asc" }],
  });
  return rows.map((row) => orderQuoteRow.parse(row));
}

const isDead = Prisma.sql`o."cancelledAt" IS NOT NULL OR o."erasedAt" IS NOT NULL`;

/**
 * Marks a quote as being sent, unless it is another worker's, or not to be made any more: right before the request, and
 * in one statement, because the order may have been cancelled, refunded or insured meanwhile.
 * @returns whether it is to be sent now
 */
export async function lockQuote(row: OrderQuoteRow, emailDigest: string): Promise<OrderQuoteRow | null> {
  const { shop, orderId, lineId, itemNumber } = row;
  const rows = await db.$queryRaw`
    UPDATE "OrderQuote" AS l SET state = 'sending', "sentAt" = now(), attempt = l.attempt + 1
    FROM "Order" AS o JOIN "OrderLine" AS line ON line.shop = o.shop AND line."orderId" = o."orderId"
    WHERE l.shop = ${shop} AND l."orderId" = ${orderId} AND l."lineId" = ${lineId} AND l."itemNumber" = ${itemNumber}
      AND l.state = 'due' AND l.attempt = ${row.attempt}
      AND o.shop = l.shop AND o."orderId" = l."orderId" AND line."lineId" = l."lineId"
      AND o."acceptsMarketing" AND NOT (${isDead})
      AND NOT EXISTS (
        SELECT FROM "QuoteSuppression" AS s WHERE s.shop = l.shop AND s."emailDigest" = ${emailDigest})
      AND ${uninsured} > (
        SELECT count(*) FROM "OrderQuote" AS other WHERE other.shop = l.shop AND other."orderId" = l."orderId"
          AND other."lineId" = l."lineId" AND other.state IN ('sending', 'unknown', 'open', 'sold')
          AND NOT ${isExpired(Prisma.sql`other`)})
    RETURNING l.*`;
  return z.array(orderQuoteRow).max(1).parse(rows)[0] ?? null;
}

/** After the request. A late response still shows its outcome. @returns false: the row has another state by now */
export async function moveSent(
  { shop, orderId, lineId, itemNumber, attempt }: OrderQuoteRow,
  data: Prisma.OrderQuoteUpdateManyMutationInput & { state: OrderQuoteState },
  tx: Pick<typeof db, "orderQuote"> = db,
): Promise<boolean> {
  const { count } = await tx.orderQuote.updateMany({
    where: { shop, orderId, lineId, itemNumber, attempt, state: { in: ["sending", "unknown"] } },
    data,
  });
  return count === 1;
}

/** Nothing was done: the row of a request that staff or the customer may make again. */
export async function dropSent({ shop, orderId, lineId, itemNumber }: OrderQuoteRow): Promise<void> {
  await db.orderQuote.deleteMany({ where: { shop, orderId, lineId, itemNumber, state: "sending" } });
}

/**
 * Quotes that a dead worker was sending, and those that were pending before a backup was restored, have an unknown
 * outcome: they may have been requested in the lost time.
 */
export async function markLostAsUnknown(shop: string, orderId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "OrderQuote" AS l SET state = 'unknown'
    WHERE l.shop = ${shop} AND l."orderId" = ${orderId} AND (
      (l.state = 'sending' AND l."sentAt" < now() - ${SENDING_MS} * interval '1 millisecond')
      OR (l.state = 'due' AND EXISTS (SELECT FROM "Restore" AS r WHERE r.at >= l."createdAt")))`;
}

/** A quote that could not be requested while its customer expected it, or whose customer wants no mail any more, is not made. */
export async function dropLate(shop: string, orderId: string): Promise<void> {
  await db.$executeRaw`
    DELETE FROM "OrderQuote" AS l USING "Order" AS o
    WHERE l.shop = ${shop} AND l."orderId" = ${orderId} AND l.state = 'due'
      AND o.shop = l.shop AND o."orderId" = l."orderId" AND (NOT o."acceptsMarketing"
        OR o."paidAt" <= ${quotablePaidSince})`;
}

/** Revokes what is not to be used any more. */
export async function revokeSurplus(shop: string, orderId: string): Promise<void> {
  await db.$executeRaw`
    WITH surplus AS (${surplusQuotes(Prisma.sql`${shop}`, Prisma.sql`${orderId}`)}), revoked AS (
      UPDATE "OrderQuote" AS l SET state = 'revoked', "revokedAt" = now(),
        reason = CASE WHEN surplus.erased THEN 'erased' WHEN surplus.cancelled THEN 'order_cancelled' ELSE 'fewer_pieces' END
      FROM surplus
      WHERE l.shop = ${shop} AND l."orderId" = ${orderId} AND l."lineId" = surplus."lineId"
        AND l."itemNumber" = surplus."itemNumber" AND l.state IN ('due', 'open')
      RETURNING l.environment, l."quoteId"
    )
    UPDATE "Quote" AS quote SET status = 'revoked' FROM revoked
    WHERE quote.shop = ${shop} AND quote.environment = revoked.environment AND quote."quoteId" = revoked."quoteId"`;
}

/**
 * Revokes the quotes of these orders, or these quotes, whatever their items. Both accounts may have a quote of the
 * same id.
 * @returns their orders
 */
export async function revokeAll(
  tx: Transaction,
  shop: string,
  which: Prisma.OrderQuoteWhereInput,
  reason: OrderQuoteReason,
): Promise<string[]> {
  const revoked = await tx.orderQuote.updateManyAndReturn({
    where: { ...which, shop, state: { in: ["due", "open"] } },
    data: { state: "revoked", revokedAt: new Date(), reason },
    select: { orderId: true, environment: true, quoteId: true },
  });
  for (const [account, quotes] of Map.groupBy(revoked, ({ environment }) => environment)) {
    await tx.quote.updateMany({
      where: { shop, environment: account, quoteId: { in: quotes.flatMap(({ quoteId }) => quoteId ?? []) } },
      data: { status: "revoked" },
    });
  }
  return [...new Set(revoked.map(({ orderId }) => orderId))];
}

/** Decides an order: `items` get quotes. Staff may have requested one of the same item concurrently: theirs stays. */
export async function insertDecided(
  shop: string,
  orderId: string,
  {
    environment: account,
    delayHours,
    items,
  }: { environment: string; delayHours: number; items: (UninsuredItem & { linkId: string })[] },
): Promise<void> {
  await db.$executeRaw`
    WITH decided AS (
      UPDATE "Order" SET "quotesDecidedAt" = now()
      WHERE shop = ${shop} AND "orderId" = ${orderId} AND "quotesDecidedAt" IS NULL RETURNING shop, "orderId"
    )
    INSERT INTO "OrderQuote" (shop, "orderId", environment, "delayHours", "lineId", "itemNumber", "productId", "variantId",
      "productTitle", "priceMinor", currency, "categoryId", "linkId")
    SELECT decided.shop, decided."orderId", ${account}, ${delayHours}, item.*
    FROM decided, jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS item("lineId" text, "itemNumber" int,
      "productId" text, "variantId" text, title text, "priceMinor" int, currency text, "categoryId" text, "linkId" text)
    ON CONFLICT DO NOTHING`;
}

const orderQuoteContext = z.object({
  environment,
  timezone: z.string(),
  /** it has quotes, or had some that may be in its metafield */
  hasQuotes: z.boolean(),
  /** some of them are pending */
  hasDue: z.boolean(),
  /** its time has come, and nothing was decided */
  isTimeToDecide: z.boolean(),
  /** the merchant wants automatic quotes and lets the order show them, and the shop sells insurance now */
  canRequest: z.boolean(),
  delayHours: z.int(),
});
export type OrderQuoteContext = z.infer<typeof orderQuoteContext>;

/** Null: there is no such order, or no such shop. */
export async function readOrderQuoteContext(
  shop: string,
  orderId: string,
): Promise<OrderQuoteContext | null> {
  const rows = await db.$queryRaw`
    SELECT o.environment, m.timezone,
      o."quotesDigest" IS NOT NULL OR EXISTS (
        SELECT FROM "OrderQuote" AS l WHERE l.shop = o.shop AND l."orderId" = o."orderId") AS "hasQuotes",
      EXISTS (SELECT FROM "OrderQuote" AS l WHERE l.shop = o.shop AND l."orderId" = o."orderId" AND l.state = 'due')
        AS "hasDue",
      COALESCE(o."quotesDecidedAt" IS NULL AND o."paidAt" > s.since
        AND o."paidAt" <= now() - s."delayHours" * interval '1 hour'
        AND o."paidAt" > ${quotablePaidSince}, false)
        AS "isTimeToDecide",
      m."uninstalledAt" IS NULL AND m."canWriteOrders" AND s.since IS NOT NULL AND NOT EXISTS (
        SELECT FROM "AccountPause" AS p WHERE p.shop = o.shop AND p.environment = o.environment)
        AND m."sellingPausedAt" IS NULL AND EXISTS (SELECT FROM "Connection" AS c
          WHERE c.shop = o.shop AND c.environment = o.environment AND c.state <> 'refused') AS "canRequest",
      COALESCE(s."delayHours", 0) AS "delayHours"
    FROM "Order" AS o JOIN "Merchant" AS m ON m.shop = o.shop LEFT JOIN "QuoteSettings" AS s ON s.shop = o.shop
    WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return z.array(orderQuoteContext).max(1).parse(rows)[0] ?? null;
}

const known = z.object({
  /** `YYYY-MM-DD` in the shop's time zone */
  today: z.string(),
  mayBeQuoted: z.boolean(),
  insured: z.array(z.string().nullable()),
  quotes: z.array(
    z.object({
      lineId: z.string(),
      itemNumber: z.int(),
      state: z.string(),
      expiresOn: z.string().nullable(),
    }),
  ),
  quotedByHand: z.array(z.string()),
});

/**
 * What is stored of the order and its customer. `quotes`: those that its items have or had, such as from staff;
 * `quotedByHand`: the variants that staff have quoted this customer, and that are still valid or may exist: a second
 * quote would only confuse.
 */
export async function readKnown(
  shop: string,
  orderId: string,
  environment: Environment,
  emailDigest: string,
): Promise<z.infer<typeof known> | null> {
  const rows = await db.$queryRaw`
    SELECT ${shopToday(Prisma.sql`o.shop`)} AS today,
      o."acceptsMarketing" AND o."erasedAt" IS NULL AND o."cancelledAt" IS NULL AND o."paidAt" IS NOT NULL
        -- Its quotes may have been made in the lost time, and the insurer lists no quotes.
        AND NOT EXISTS (SELECT FROM "Restore" AS r WHERE r.at >= o."paidAt")
        AND NOT EXISTS (SELECT FROM "QuoteSuppression" AS s WHERE s.shop = o.shop AND s."emailDigest" = ${emailDigest})
        AS "mayBeQuoted",
      (SELECT COALESCE(jsonb_agg(u."insuredLineId"), '[]') FROM "InsuredItem" AS u
        WHERE u.shop = o.shop AND u."orderId" = o."orderId"
          -- Who has withdrawn from insurance is not sent a quote for it.
          AND (u.wanted OR u."withdrawnAt" IS NOT NULL)) AS insured,
      (SELECT COALESCE(jsonb_agg(jsonb_build_object('lineId', l."lineId", 'itemNumber', l."itemNumber", 'state', l.state,
          'expiresOn', l."expiresOn")), '[]') FROM "OrderQuote" AS l
        WHERE l.shop = o.shop AND l."orderId" = o."orderId") AS quotes,
      (SELECT COALESCE(jsonb_agg(l."variantId"), '[]') FROM "Quote" AS l
        WHERE l.shop = o.shop AND l.environment = ${environment} AND l."emailDigest" = ${emailDigest}
          AND (l.status IN ('sending', 'unknown')
            OR (l.status = 'active' AND l."expiresOn" >= ${shopToday(Prisma.sql`o.shop`)}))
          AND NOT EXISTS (SELECT FROM "OrderQuote" AS x
            WHERE x.shop = l.shop AND x.environment = l.environment AND x."quoteId" = l."quoteId"))
        AS "quotedByHand"
    FROM "Order" AS o WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return z.array(known).max(1).parse(rows)[0] ?? null;
}

const quoted = z.object({
  environment,
  quotesDigest: z.string().nullable(),
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

export type QuotedOrder = z.infer<typeof quoted>;

/** The quotes that may be used now; null: there is no such order. */
export async function readQuoted(shop: string, orderId: string): Promise<QuotedOrder | null> {
  const rows = await db.$queryRaw`
    SELECT o.environment, o."quotesDigest",
      COALESCE((SELECT m."canWriteOrders" FROM "Merchant" AS m WHERE m.shop = o.shop), false) AS "canWriteOrders", (
        SELECT COALESCE(jsonb_agg(to_jsonb(open) ORDER BY open."lineId", open."itemNumber"), '[]') FROM (
          SELECT l."lineId", l."itemNumber", l."linkId", l."productTitle", l."expiresOn", quote.offers
          FROM "OrderQuote" AS l JOIN "Quote" AS quote
            ON quote.shop = l.shop AND quote.environment = l.environment AND quote."quoteId" = l."quoteId"
          WHERE l.shop = o.shop AND l."orderId" = o."orderId" AND l.state = 'open'
            AND quote."sealedCustomer" IS NOT NULL AND l."expiresOn" >= ${shopToday(Prisma.sql`o.shop`)}
        ) AS open) AS open
    FROM "Order" AS o WHERE o.shop = ${shop} AND o."orderId" = ${orderId}`;
  return z.array(quoted).max(1).parse(rows)[0] ?? null;
}

const linked = z.object({
  orderId: z.string(),
  lineId: z.string(),
  itemNumber: z.int(),
  environment,
  quoteId: z.string(),
  isUsable: z.boolean(),
  isOpened: z.boolean(),
  sealedCustomer: z.string().nullable(),
});
export type LinkedQuote = z.infer<typeof linked>;

/**
 * The quote of a link in its current state: its order may have been cancelled, or its item returned, a second ago.
 * Null: there is none.
 */
export async function findLinkedQuote(shop: string, linkId: string): Promise<LinkedQuote | null> {
  const surplus = surplusQuotes(Prisma.sql`linked.shop`, Prisma.sql`linked."orderId"`);
  const rows = await db.$queryRaw`
    SELECT linked."orderId", linked."lineId", linked."itemNumber", linked.environment, linked."quoteId",
      linked."openedAt" IS NOT NULL AS "isOpened", quote."sealedCustomer", (
        linked.state = 'open' AND linked."expiresOn" >= ${shopToday(Prisma.sql`linked.shop`)}
        AND NOT EXISTS (SELECT FROM (${surplus}) AS surplus
          WHERE surplus."lineId" = linked."lineId" AND surplus."itemNumber" = linked."itemNumber")
        -- Who wants no quotes may still request one.
        AND (linked.touchpoint IS NOT NULL OR NOT EXISTS (SELECT FROM "QuoteSuppression" AS s
          WHERE s.shop = linked.shop AND s."emailDigest" = quote."emailDigest"))) AS "isUsable"
    FROM "OrderQuote" AS linked
      JOIN "Quote" AS quote
        ON quote.shop = linked.shop AND quote.environment = linked.environment AND quote."quoteId" = linked."quoteId"
    WHERE linked.shop = ${shop} AND linked."linkId" = ${linkId}`;
  return z.array(linked).max(1).parse(rows)[0] ?? null;
}

const unannouncedQuote = z.object({
  linkId: z.string(),
  environment,
  productTitle: z.string(),
  expiresOn: z.string(),
  numberInOrder: z.coerce.number(),
  offers: quoteOffers,
});
export type UnannouncedQuote = z.output<typeof unannouncedQuote>;

/**
 * Marks the order's next quote as sent, if the order shows it and it may be used. In one
 * statement and before the request, so that no other worker and no repetition sends it again. Materialised: as a part
 * of the update it would be read again for each row, and skip the rows that it has locked.
 */
export async function claimUnannouncedQuote(shop: string, orderId: string): Promise<UnannouncedQuote | null> {
  const rows = await db.$queryRaw`
    WITH next AS MATERIALIZED (
      SELECT l."lineId", l."itemNumber", quote.offers, (
        SELECT count(*) + 1 FROM "OrderQuote" AS other
        WHERE other.shop = l.shop AND other."orderId" = l."orderId" AND other."flowAt" IS NOT NULL) AS "numberInOrder"
      FROM "OrderQuote" AS l
        JOIN "Order" AS o ON o.shop = l.shop AND o."orderId" = l."orderId"
        JOIN "Quote" AS quote
          ON quote.shop = l.shop AND quote.environment = l.environment AND quote."quoteId" = l."quoteId"
      WHERE l.shop = ${shop} AND l."orderId" = ${orderId} AND l.state = 'open' AND l."flowAt" IS NULL
        AND l."delayHours" <> ${ON_REQUEST}
        AND l."expiresOn" >= ${shopToday(Prisma.sql`l.shop`)}
        AND o."quotesDigest" IS NOT NULL AND o."acceptsMarketing" AND o."cancelledAt" IS NULL AND o."erasedAt" IS NULL
        AND quote."sealedCustomer" IS NOT NULL
        AND NOT EXISTS (SELECT FROM "QuoteSuppression" AS x
          WHERE x.shop = l.shop AND x."emailDigest" = quote."emailDigest")
      ORDER BY l."lineId", l."itemNumber" LIMIT 1 FOR UPDATE OF l SKIP LOCKED
    )
    UPDATE "OrderQuote" AS sent SET "flowAt" = now() FROM next
    WHERE sent.shop = ${shop} AND sent."orderId" = ${orderId}
      AND sent."lineId" = next."lineId" AND sent."itemNumber" = next."itemNumber"
    RETURNING sent."linkId", sent.environment, sent."productTitle", sent."expiresOn", next.offers, next."numberInOrder"`;
  return z.array(unannouncedQuote).max(1).parse(rows)[0] ?? null;
}

export async function findInsurableOrders(shop: string, orderIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.$queryRaw`
    SELECT o."orderId" FROM "Order" AS o JOIN "Merchant" AS m ON m.shop = o.shop
    WHERE o.shop = ${shop} AND o."orderId" = ANY(${orderIds}) AND ${isInsurable}`;
  return new Set(
    z
      .array(z.object({ orderId: z.string() }))
      .parse(rows)
      .map(({ orderId }) => orderId),
  );
}

const contractIds = z.array(z.object({ contractId: z.string() }));

/** Notes once each sold quote whose order or item is gone. @returns their contracts */
export async function markSurplusContracts(
  tx: Transaction,
  shop: string,
  orderId: string,
): Promise<string[]> {
  const rows = await tx.$queryRaw`
    WITH surplus AS (${surplusQuotes(Prisma.sql`${shop}`, Prisma.sql`${orderId}`)})
    UPDATE "OrderQuote" AS l SET "revokedAt" = now(),
      reason = CASE WHEN surplus.cancelled THEN 'order_cancelled' ELSE 'fewer_pieces' END
    FROM surplus
    WHERE l.shop = ${shop} AND l."orderId" = ${orderId} AND l."lineId" = surplus."lineId"
      AND l."itemNumber" = surplus."itemNumber" AND NOT surplus.erased
      AND l.state = 'sold' AND l."soldTitle" IS NOT NULL AND l.reason IS NULL
    RETURNING l."contractId"`;
  return contractIds.parse(rows).map(({ contractId }) => contractId);
}

/** Orders that wait for their decision get the new delay. */
export async function hastenDecisions(
  tx: Transaction,
  { shop, delayHours, since }: { shop: string; delayHours: number; since: Date | null },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE "Order" SET "dueAt" = LEAST("dueAt", "paidAt" + ${delayHours} * interval '1 hour'), revision = revision + 1
    WHERE shop = ${shop} AND "acceptsMarketing" AND "quotesDecidedAt" IS NULL AND "cancelledAt" IS NULL
      AND "paidAt" > ${since}::timestamptz AND "purchasedAt" > now() - interval '30 days'`;
}

/** Whether orders of the shop get automatic quotes now: the merchant wants them, and the order may show them. */
export async function automaticQuotesAreOn(shop: string): Promise<boolean> {
  const rows = await db.$queryRaw<
    unknown[]
  >`SELECT 1 FROM (${shopsWithQuotes}) AS quoting WHERE quoting.shop = ${shop} AND quoting.since IS NOT NULL`;
  return rows.length > 0;
}

/** Null: the quote was made by hand. */
export async function findOrderQuote({ shop, environment }: Merchant, quoteId: string) {
  return db.orderQuote.findFirst({
    where: { shop, environment, quoteId },
    select: { orderId: true, openedAt: true, revokedAt: true, soldAt: true, contractId: true },
  });
}

const MOST_ROWS = 50;

const figure = z.object({
  productTitle: z.string(),
  delayHours: z.int(),
  /** where the customer requested it; null: they did not */
  touchpoint: z.enum(touchpoints).nullable(),
  made: z.int(),
  opened: z.int(),
  sold: z.int(),
  expired: z.int(),
  revoked: z.int(),
  /** requested, with an unknown outcome */
  unknown: z.int(),
  soldMinor: z.coerce.number(),
});
export type QuoteFigure = z.infer<typeof figure>;

/**
 * Those of the account in use, the product with the most first.
 * @param today `YYYY-MM-DD` in the shop's time zone
 */
export async function listQuoteFigures(
  { shop, environment }: Merchant,
  today: string,
): Promise<QuoteFigure[]> {
  const rows = await db.$queryRaw`
    SELECT max("productTitle") AS "productTitle", "delayHours", touchpoint,
      count(*) FILTER (WHERE "madeAt" IS NOT NULL)::int AS made,
      count(*) FILTER (WHERE "openedAt" IS NOT NULL)::int AS opened,
      count(*) FILTER (WHERE state = 'sold')::int AS sold,
      count(*) FILTER (WHERE state = 'open' AND "expiresOn" < ${today})::int AS expired,
      count(*) FILTER (WHERE state = 'revoked' AND "madeAt" IS NOT NULL)::int AS revoked,
      count(*) FILTER (WHERE state = 'unknown')::int AS unknown,
      COALESCE(sum("soldMinor") FILTER (WHERE state = 'sold'), 0) AS "soldMinor"
    FROM "OrderQuote" WHERE shop = ${shop} AND environment = ${environment}
    GROUP BY COALESCE("productId", "productTitle"), "delayHours", touchpoint
    ORDER BY made DESC, "productTitle" LIMIT ${MOST_ROWS}`;
  return z.array(figure).parse(rows);
}
