/** What the order's one reconciler (app/plans/reconciler) reads of its quotes, as columns of its statement. */
import { z } from "zod";
import { Prisma } from "#app/platform/prisma/client.ts";
import { shopsWithQuotes } from "./settings.server.ts";

/**
 * An order that could not be decided within this many days of its delay gets no quotes: no customer expects one by
 * then.
 */
export const LATE_DAYS = 3;

const none = { exist: false, decideAt: null, searchAt: null };
export const orderQuotes = z
  .object({
    exist: z.boolean(),
    decideAt: z.coerce.date().nullable(),
    searchAt: z.coerce.date().nullable(),
  })
  .nullable()
  .transform((quotes) => quotes ?? none);

/**
 * When the quote `l` needs work: it is pending, its worker is gone, or its contract is to be searched for. An opened one
 * is searched for every hour of its first day and then every day; an unopened one every week, because a busy shop has
 * hundreds of thousands of them. Each is searched for a last time when it expires, by the day of the shop `m`, and is
 * taken off the order.
 */
const workAt = Prisma.sql`
  CASE l.state
    WHEN 'due' THEN CASE WHEN m.since IS NOT NULL THEN now() END
    WHEN 'sending' THEN l."sentAt" + interval '10 minutes'
    ELSE CASE WHEN left(l."expiresOn", 10) < to_char(now() AT TIME ZONE m.timezone, 'YYYY-MM-DD')
      THEN CASE WHEN to_char(COALESCE(l."lookedAt", l."madeAt") AT TIME ZONE m.timezone, 'YYYY-MM-DD')
        <= left(l."expiresOn", 10) THEN now() END
      ELSE LEAST((left(l."expiresOn", 10)::date + interval '1 day') AT TIME ZONE m.timezone, COALESCE(l."lookedAt", l."madeAt") + CASE
        WHEN l."openedAt" IS NULL THEN interval '7 days'
        WHEN l."openedAt" > now() - interval '1 day' THEN interval '1 hour'
        ELSE interval '1 day' END)
      END
  END`;

/**
 * Of the order `o`, as `orderQuotes`; null: the shop does not have the app.
 * @param lines the order's lines, as a table
 */
export const orderQuotesColumn = (lines: Prisma.Sql) => Prisma.sql`(
  SELECT jsonb_build_object(
    'exist', o."leadsDigest" IS NOT NULL OR EXISTS (
      SELECT FROM "OrderLead" AS l WHERE l.shop = o.shop AND l."orderId" = o."orderId"),
    'decideAt', CASE WHEN o."acceptsMarketing" AND o."leadsDecidedAt" IS NULL AND o."cancelledAt" IS NULL
      AND o."erasedAt" IS NULL AND o."paidAt" > m.since
      AND o."paidAt" > now() - m."delayHours" * interval '1 hour' - ${LATE_DAYS} * interval '1 day'
      AND EXISTS (SELECT FROM ${lines} AS line WHERE line.shop = o.shop AND line."orderId" = o."orderId"
        AND line."categoryId" <> '' AND line."currentQuantity" > 0)
      THEN o."paidAt" + m."delayHours" * interval '1 hour' END,
    'searchAt', (SELECT min(${workAt}) FROM "OrderLead" AS l
      WHERE l.shop = o.shop AND l."orderId" = o."orderId" AND l.state IN ('due', 'sending', 'open')))
  FROM (${shopsWithQuotes}) AS m WHERE m.shop = o.shop)`;

export const soldQuote = z.object({
  lineId: z.string(),
  unitNumber: z.int(),
  contractId: z.string(),
  soldTitle: z.string(),
  productTitle: z.string(),
  /** the order or its item is gone: a person has to end the contract */
  isEnding: z.boolean(),
  conditionsUrl: z.string().nullable(),
  ipidUrl: z.string().nullable(),
});

/**
 * Contracts of the order `o` that its customer made from a quote, as `soldQuote`s; the service shows neither their days
 * nor their status.
 */
export const soldQuotesColumn = Prisma.sql`(
  SELECT COALESCE(jsonb_agg(jsonb_build_object('lineId', l."lineId", 'unitNumber', l."unitNumber",
    'contractId', l."contractId", 'soldTitle', l."soldTitle", 'productTitle', l."productTitle",
    'isEnding', COALESCE(l.reason IN ('order_cancelled', 'fewer_pieces'), false),
    'conditionsUrl', c.legal->>'conditionsUrl', 'ipidUrl', c.legal->>'ipidUrl')), '[]')
  FROM "OrderLead" AS l
    LEFT JOIN "Category" AS c
      ON c.shop = l.shop AND c.environment = l.environment AND c."categoryId" = l."categoryId"
  WHERE l.shop = o.shop AND l."orderId" = o."orderId" AND l.environment = o.environment AND l.state = 'sold'
    AND l."soldTitle" IS NOT NULL)`;
