/** What statements say of the quotes of an order, as their conditions and columns. */
import { z } from "zod";
import { shopsWithQuotes } from "#app/merchants/quote-settings.server.ts";
import { DEFAULT_INSURE_DAYS, quoteDelays } from "#app/merchants/quote-settings.ts";
import { Prisma } from "#app/platform/prisma/client.ts";

/** The time zone of a shop of another statement. */
const shopTimezone = (shop: Prisma.Sql) => Prisma.sql`
  COALESCE((SELECT merchant.timezone FROM "Merchant" AS merchant WHERE merchant.shop = ${shop}), 'UTC')`;

/** The day that decides which quotes of a shop have expired, `YYYY-MM-DD`: as `toLocalDay` of the shop's time zone. */
export const shopToday = (shop: Prisma.Sql) =>
  Prisma.sql`to_char(now() AT TIME ZONE ${shopTimezone(shop)}, 'YYYY-MM-DD')`;

/**
 * How many items of the line `line` of another statement are not insured. A plan of unclear product may insure any; one
 * that was cancelled at the insurer insures none, though it is wanted.
 */
export const uninsured = Prisma.sql`line."currentQuantity" - (
  SELECT count(*) FROM "InsuredItem" AS u WHERE u.shop = line.shop AND u."orderId" = line."orderId" AND u.wanted
    AND u.state <> 'cancelled' AND (u."insuredLineId" IS NULL OR u."insuredLineId" = line."lineId"))`;

/** An expired quote takes no place of its item: staff may have requested another. */
export const isExpired = (row: Prisma.Sql) =>
  Prisma.sql`(${row}.state = 'open' AND ${row}."expiresOn" < ${shopToday(Prisma.sql`${row}.shop`)})`;
const expired = isExpired(Prisma.sql`l`);

/**
 * The quotes of an order whose item is gone: cancelled, returned or insured otherwise. Of a line with fewer items left
 * they are the last ones; a quote that has led to a contract keeps its item longest.
 */
export const surplusQuotes = (shop: Prisma.Sql, orderId: Prisma.Sql) => Prisma.sql`
  SELECT ranked.* FROM (
    SELECT l."lineId", l."itemNumber", o."cancelledAt" IS NOT NULL AS cancelled, o."erasedAt" IS NOT NULL AS erased, ${uninsured} AS items,
      ${expired} AS expired, row_number() OVER (PARTITION BY l."lineId" ORDER BY ${expired},
        l.state IN ('sending', 'unknown', 'sold') DESC, l.state = 'open' DESC, l."itemNumber") AS rank
    FROM "OrderQuote" AS l
      JOIN "Order" AS o ON o.shop = l.shop AND o."orderId" = l."orderId"
      JOIN "OrderLine" AS line ON line.shop = l.shop AND line."orderId" = l."orderId" AND line."lineId" = l."lineId"
    WHERE l.shop = ${shop} AND l."orderId" = ${orderId} AND l.state NOT IN ('refused', 'revoked')
  ) AS ranked
  WHERE ranked.erased OR ranked.cancelled OR (ranked.rank > ranked.items AND NOT ranked.expired)`;

/**
 * A condition on the order `o` and its shop `m`: its customer may insure something by such a link now. LEAST passes over
 * the rule of sale where that has no limit.
 */
export const isInsurable = Prisma.sql`(
  o."paidAt" IS NOT NULL AND o."cancelledAt" IS NULL AND o."erasedAt" IS NULL
  AND m."uninstalledAt" IS NULL AND m."sellingPausedAt" IS NULL
  AND o."purchasedAt" > now() - interval '1 day' * LEAST(COALESCE(
    (SELECT s."insureDays" FROM "QuoteSettings" AS s WHERE s.shop = o.shop), ${DEFAULT_INSURE_DAYS}),
    (SELECT (s.settings->'sale'->>'maxQuoteAgeDays')::int FROM "MerchantSettings" AS s WHERE s.shop = o.shop))
  AND EXISTS (SELECT FROM "OrderLine" AS line WHERE line.shop = o.shop AND line."orderId" = o."orderId"
    AND line."categoryId" <> '' AND ${uninsured} > (SELECT count(*) FROM "OrderQuote" AS l
      WHERE l.shop = line.shop AND l."orderId" = line."orderId" AND l."lineId" = line."lineId"
        AND l.state IN ('sending', 'unknown', 'sold'))))`;

const LATE_DAYS = 3;

/**
 * Orders paid before this time get no quotes any more: no customer expects one by then. It is the longest delay and some
 * days, whatever the merchant's delay is: a shorter delay must not drop the orders that wait for a longer one.
 */
export const quotablePaidSince = Prisma.sql`
  (now() - ${Math.max(...quoteDelays)} * interval '1 hour' - ${LATE_DAYS} * interval '1 day')`;

const none = { exist: false, decideAt: null, searchAt: null };
export const orderQuotes = z
  .object({
    exist: z.boolean(),
    decideAt: z.coerce.date().nullable(),
    searchAt: z.coerce.date().nullable(),
  })
  .nullable()
  .transform((quotes) => quotes ?? none);

/** A condition on the quote `l` of the order `o`: its customer made a contract from it, which the order's page shows. */
export const isShownAsSold = Prisma.sql`
  l.environment = o.environment AND l.state = 'sold' AND l."soldTitle" IS NOT NULL`;

/** The day of the shop `m`, `YYYY-MM-DD`: as `shopToday`, of a row that holds the time zone. */
const localToday = Prisma.sql`to_char(now() AT TIME ZONE m.timezone, 'YYYY-MM-DD')`;

/**
 * When the quote `l` needs work: it is pending, its worker is gone, or its contract is to be searched for. An opened one
 * is searched for every hour of its first day and then every day; an unopened one every week, because a busy shop has
 * hundreds of thousands of them. Each is searched for a last time when it expires, by the day of the shop `m`, and is
 * taken off the order. Whether a contract that was found is cancelled is looked up every week of its term; whether one is
 * in force that was not yet, every day.
 */
const workAt = Prisma.sql`
  CASE l.state
    WHEN 'due' THEN CASE WHEN m.since IS NOT NULL THEN now() END
    WHEN 'sending' THEN l."sentAt" + interval '10 minutes'
    -- Tomorrow at the earliest: without an account it is not looked up.
    WHEN 'sold' THEN GREATEST(COALESCE(l."lookedAt", l."soldAt")
      + CASE WHEN l."soldTitle" IS NULL THEN interval '24 hours' ELSE interval '168 hours' END, now() + interval '1 day')
    ELSE CASE WHEN l."expiresOn" < ${localToday}
      THEN CASE WHEN to_char(COALESCE(l."lookedAt", l."madeAt") AT TIME ZONE m.timezone, 'YYYY-MM-DD')
        <= l."expiresOn" THEN now() END
      ELSE LEAST((l."expiresOn"::date + interval '1 day') AT TIME ZONE m.timezone, COALESCE(l."lookedAt", l."madeAt") + CASE
        WHEN l."openedAt" IS NULL THEN interval '7 days'
        WHEN l."openedAt" > now() - interval '1 day' THEN interval '1 hour'
        ELSE interval '1 day' END)
      END
  END`;

/** Of the order `o`, as `orderQuotes`; null: the shop does not have the app. */
export const orderQuotesColumn = Prisma.sql`(
  SELECT jsonb_build_object(
    'exist', o."quotesDigest" IS NOT NULL OR EXISTS (
      SELECT FROM "OrderQuote" AS l WHERE l.shop = o.shop AND l."orderId" = o."orderId"),
    'decideAt', CASE WHEN o."acceptsMarketing" AND o."quotesDecidedAt" IS NULL AND o."cancelledAt" IS NULL
      AND o."erasedAt" IS NULL AND o."salesRecordStatus" <> 'test_order' AND o."paidAt" > m.since
      AND o."paidAt" > ${quotablePaidSince}
      AND EXISTS (SELECT FROM "OrderLine" AS line WHERE line.shop = o.shop AND line."orderId" = o."orderId"
        AND line."categoryId" <> '' AND line."currentQuantity" > 0)
      THEN o."paidAt" + m."delayHours" * interval '1 hour' END,
    'searchAt', (SELECT min(${workAt}) FROM "OrderQuote" AS l
      WHERE l.shop = o.shop AND l."orderId" = o."orderId" AND (l.state IN ('due', 'sending', 'open')
        -- The insurer's own page takes it all the same.
        OR l.state = 'revoked' AND l."quoteId" IS NOT NULL AND l.reason IS DISTINCT FROM 'erased'
        OR l.environment = o.environment AND l.state = 'sold' AND l.reason IS DISTINCT FROM 'contract_cancelled'
          AND o."erasedAt" IS NULL AND l."soldUntil" >= ${localToday})))
  FROM (${shopsWithQuotes}) AS m WHERE m.shop = o.shop)`;

export const soldQuote = z.object({
  lineId: z.string(),
  itemNumber: z.int(),
  contractId: z.string(),
  soldTitle: z.string(),
  productTitle: z.string(),
  /** attention: the order or its item is gone, and a person has to end the contract */
  state: z.enum(["active", "attention", "cancelled"]),
  /** the last day of its term, `YYYY-MM-DD` */
  expiresOn: z.string().nullable(),
  conditionsUrl: z.string().nullable(),
  ipidUrl: z.string().nullable(),
});

/**
 * Contracts of the order `o` that its customer made from a quote, as `soldQuote`s: as the customer's contracts were read
 * last.
 */
export const soldQuotesColumn = Prisma.sql`(
  SELECT COALESCE(jsonb_agg(jsonb_build_object('lineId', l."lineId", 'itemNumber', l."itemNumber",
    'contractId', l."contractId", 'soldTitle', l."soldTitle", 'productTitle', l."productTitle",
    'state', CASE WHEN l.reason IS NULL THEN 'active'
      WHEN l.reason = 'contract_cancelled' THEN 'cancelled' ELSE 'attention' END,
    'expiresOn', l."soldUntil",
    'conditionsUrl', c.legal->>'conditionsUrl', 'ipidUrl', c.legal->>'ipidUrl')), '[]')
  FROM "OrderQuote" AS l
    LEFT JOIN "Category" AS c
      ON c.shop = l.shop AND c.environment = l.environment AND c."categoryId" = l."categoryId"
  WHERE l.shop = o.shop AND l."orderId" = o."orderId" AND ${isShownAsSold})`;
