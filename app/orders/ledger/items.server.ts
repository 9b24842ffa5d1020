/** Insured items in the database: the row, and the only way to change its state. */
import { AppError } from "#app/platform/app-error.ts";
import { z } from "zod";
import { db, type Transaction, violatesIndex } from "#app/platform/db.server.ts";
import { metrics, waitedFor } from "#app/platform/metrics.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import {
  type Reason,
  reasons,
  sourceStates,
  type TransitionCause,
  transitions,
  itemStates,
} from "./item-states.ts";

/** A row of the ledger, as PostgreSQL writes it as JSON. */
export const itemRow = z.object({
  shop: z.string(),
  orderId: z.string(),
  lineId: z.string(),
  itemNumber: z.int(),
  /** the number of the item whose cover moved to this one */
  replacesItem: z.int().nullable(),
  state: z.enum(itemStates),
  wanted: z.boolean(),
  accepted: z.boolean(),
  offerReferenceId: z.string(),
  planTitle: z.string(),
  premiumMinor: z.int(),
  currency: z.string(),
  insuredLineId: z.string().nullable(),
  insuredVariantId: z.string().nullable(),
  insuredTitle: z.string().nullable(),
  insuredPriceMinor: z.int().nullable(),
  insuredCurrency: z.string().nullable(),
  attempt: z.int(),
  sentAt: z.coerce.date().nullable(),
  changedAt: z.coerce.date(),
  responded: z.boolean(),
  lookedUpAt: z.coerce.date().nullable(),
  reason: z.enum(reasons).nullable(),
  contractId: z.string().nullable(),
  expiresOn: z.string().nullable(),
  fulfilledAt: z.coerce.date().nullable(),
});
export type Item = z.infer<typeof itemRow>;

export interface ItemKey {
  orderId: string;
  lineId: string;
  itemNumber: number;
}

/** An item is only sent while its worker holds the order's lease and has read its latest revision. */
export interface LeaseFence {
  leaseHolder: string;
  revision: number;
}

export interface TransitionChanges {
  reason?: Reason | null;
  /**
   * Goes into the history: a `Reason`, a contract's number, or an error's own message without personal data. Not a
   * sentence, because pages are in two languages.
   */
  note?: string;
  contractId?: string;
  activatesOn?: string;
  expiresOn?: string;
  /** the insurer responded in full */
  responded?: boolean;
  fence?: LeaseFence;
  transaction?: Transaction;
}

/** Another item of the account has the contract. */
export class ContractTakenError extends AppError {
  override name = "ContractTakenError";
  constructor(contractId: string, options: { cause: unknown }) {
    super(`Contract ${contractId} belongs to another paid item`, options);
  }
}

/** A contract and its status as the insurer calls it, for history and tasks. */
export const describeContract = (contractId: string, status: string): string =>
  `${contractId} (${status.slice(0, 100)})`;

/** How an item that a person wants tried again goes on: one whose creation was sent may have a contract. */
export const retryCause = ({ attempt }: Item) => (attempt === 0 ? "retry" : "recheck");

/** When the contract of the item `u` of another statement came into being; null: there is none. */
export const insuredAt = Prisma.sql`(
  SELECT max(h.at) FROM "ItemHistory" AS h
  WHERE h.shop = u.shop AND h."orderId" = u."orderId" AND h."lineId" = u."lineId"
    AND h."itemNumber" = u."itemNumber" AND h.cause IN ('created', 'found'))`;

/** The category `c` of the offer that the item `u` of another statement was sold by; nothing where it is unknown now. */
export const joinCategory = Prisma.sql`
  LEFT JOIN "Reference" AS r ON r.shop = u.shop AND r.environment = u.environment
    AND r."referenceId" = u."offerReferenceId"
  LEFT JOIN "Category" AS c ON c.shop = r.shop AND c.environment = r.environment
    AND c."categoryId" = r."categoryId"`;

/**
 * Whether the merchant may let the contract of the item `u` of the order `o` go on: they alone ended it. The customer did
 * not withdraw, and the order still has a product for it that no other item insures.
 */
export const canKeepInsured = Prisma.sql`(
  u.state = 'attention' AND u.reason = 'manual_cancellation' AND u."endedInOrder" AND u."withdrawnAt" IS NULL
  AND o."cancelledAt" IS NULL AND COALESCE((
    SELECT line."currentQuantity" FROM "OrderLine" AS line
    WHERE line.shop = u.shop AND line."orderId" = u."orderId" AND line."lineId" = u."insuredLineId"), 1) > (
    SELECT count(*) FROM "InsuredItem" AS other
    WHERE other.shop = u.shop AND other."orderId" = u."orderId" AND other."insuredLineId" = u."insuredLineId"
      AND other.wanted AND other.state <> 'cancelled'))`;

/** `canKeepInsured` of one item. */
export async function isKeepable(tx: Transaction, shop: string, key: ItemKey): Promise<boolean> {
  const rows = await tx.$queryRaw`
    SELECT 1 FROM "InsuredItem" AS u JOIN "Order" AS o ON o.shop = u.shop AND o."orderId" = u."orderId"
    WHERE u.shop = ${shop} AND u."orderId" = ${key.orderId} AND u."lineId" = ${key.lineId}
      AND u."itemNumber" = ${key.itemNumber} AND ${canKeepInsured}`;
  return z.array(z.unknown()).parse(rows).length > 0;
}

const planDelay = z.object({ seconds: z.coerce.number(), waitedFor: z.enum(waitedFor) });
const moved = z.array(itemRow.extend({ delay: planDelay.nullable() })).max(1);

/**
 * How long after its payment the contract of the item `moved` is in force. A task may have waited for a person; and an
 * order may have been reported late, where the merchant was given access to orders, or a backup was restored.
 */
const delayOfMoved = Prisma.sql`
  SELECT jsonb_build_object('seconds', GREATEST(0, EXTRACT(EPOCH FROM now() - o."paidAt")), 'waitedFor', CASE
    WHEN EXISTS (SELECT FROM "ItemHistory" AS h WHERE h.shop = moved.shop AND h."orderId" = moved."orderId"
      AND h.after IN ('attention', 'refused')) THEN 'person'
    WHEN o."createdAt" > o."paidAt" + interval '1 day' THEN 'report'
    ELSE 'insurer' END)
  FROM "Order" AS o WHERE o.shop = moved.shop AND o."orderId" = moved."orderId" AND o."paidAt" IS NOT NULL`;

/**
 * Not before any recorded restore, whatever the server's clock was then: else the insurer would be queried again and
 * again.
 */
const lookedUpNow = Prisma.sql`GREATEST(now(), (SELECT max(r.at) FROM "Restore" AS r))`;

/**
 * The last day of the contract that the item `u` was sent for, `YYYY-MM-DD`, where the insurer has not named it: its list
 * of contracts, in which one is found after a lost answer, holds none.
 */
const termEnd = Prisma.sql`
  to_char(COALESCE("sentAt", now()) + make_interval(months => "termMonths"), 'YYYY-MM-DD')`;

/**
 * Moves an item along the table of transitions and writes its history, in one statement.
 * @returns the item as it is now; null: it was no longer as it was read, or the fence did not hold
 * @throws ContractTakenError
 */
export async function transitionItem(
  item: Item,
  cause: TransitionCause,
  move: TransitionChanges = {},
): Promise<Item | null> {
  if (!sourceStates(cause).includes(item.state)) {
    throw new AppError(`An item that is ${item.state} cannot be moved by ${cause}`);
  }
  const { to } = transitions[cause];
  const { reason = null, note = null, contractId = null, activatesOn = null, expiresOn = null } = move;
  const { responded = false, fence = null, transaction: tx = db } = move;
  const isSending = cause === "send";
  const moving = tx.$queryRaw`
    WITH moved AS (
      UPDATE "InsuredItem" AS u SET
        state = ${to},
        reason = ${reason},
        "changedAt" = now(),
        attempt = attempt + ${isSending ? 1 : 0},
        "sentAt" = CASE WHEN ${isSending} THEN now() ELSE "sentAt" END,
        responded = ${responded},
        "lookedUpAt" = ${cause === "not_found" ? lookedUpNow : Prisma.sql`"lookedUpAt"`},
        "contractId" = COALESCE(${contractId}, "contractId"),
        "activatesOn" = COALESCE(${activatesOn}, "activatesOn"),
        "expiresOn" = COALESCE(${expiresOn}, "expiresOn", CASE WHEN ${contractId}::text IS NOT NULL THEN ${termEnd} END)
      WHERE u.shop = ${item.shop} AND u."orderId" = ${item.orderId} AND u."lineId" = ${item.lineId}
        AND u."itemNumber" = ${item.itemNumber} AND u.state = ${item.state} AND u.attempt = ${item.attempt}
        AND (${fence === null} OR EXISTS (
          SELECT 1 FROM "Order" AS o WHERE o.shop = u.shop AND o."orderId" = u."orderId"
            AND o."leaseHolder" = ${fence?.leaseHolder ?? null} AND o."leaseExpiresAt" > now()
            AND o.revision = ${fence?.revision ?? 0}))
      RETURNING u.*
    ), written AS (
      INSERT INTO "ItemHistory" (shop, "orderId", "lineId", "itemNumber", before, after, cause, attempt, note)
      SELECT shop, "orderId", "lineId", "itemNumber", ${item.state}, state, ${cause}, attempt, ${note} FROM moved
    )
    SELECT moved.*, ${to === "active" ? Prisma.sql`(${delayOfMoved})` : Prisma.sql`NULL`} AS delay FROM moved`;
  const rows = await moving.catch((cause: unknown) => {
    if (contractId === null || !violatesIndex(cause, "InsuredItem_contract")) throw cause;
    throw new ContractTakenError(contractId, { cause });
  });
  const [row] = moved.parse(rows);
  if (!row) return null;
  const { delay, ...now } = row;
  if (delay) metrics.planDelay.observe({ waited_for: delay.waitedFor }, delay.seconds);
  return now;
}

// Several items of one order.

/**
 * Call it before changing items in the same transaction: an order's webhook locks the order first and then its items,
 * and the opposite order of locks would deadlock.
 */
export async function lockOrder(tx: Transaction, shop: string, orderId: string): Promise<void> {
  await tx.$executeRaw`
    SELECT 1 FROM "Order" WHERE shop = ${shop} AND "orderId" = ${orderId} FOR UPDATE`;
}

/** The order's product that the merchant chose for a plan without one; false: it has no item left to insure. */
export async function insureLine(
  tx: Transaction,
  shop: string,
  key: ItemKey,
  lineId: string,
): Promise<boolean> {
  const changed = await tx.$executeRaw`
    UPDATE "InsuredItem" AS u SET "insuredLineId" = line."lineId", "insuredTitle" = line.title,
      "insuredVariantId" = COALESCE(line."variantId", line."lineId"), "insuredPriceMinor" = line."listPriceMinor",
      "insuredCurrency" = line.currency
    FROM "OrderLine" AS line
    WHERE line.shop = u.shop AND line."orderId" = u."orderId" AND line."lineId" = ${lineId}
      AND u.shop = ${shop} AND u."orderId" = ${key.orderId} AND u."lineId" = ${key.lineId}
      AND u."itemNumber" = ${key.itemNumber} AND line."currentQuantity" > (
        SELECT count(*) FROM "InsuredItem" AS other
        WHERE other.shop = u.shop AND other."orderId" = u."orderId" AND other."insuredLineId" = line."lineId"
          AND other.wanted AND other.state <> 'cancelled')`;
  return changed > 0;
}

const replacementRows = z.array(
  z.object({
    lineId: z.string(),
    title: z.string(),
    variantId: z.string().nullable(),
    priceMinor: z.int(),
    currency: z.string(),
    currentQuantity: z.int(),
    /** items with a contract from a quote, or one on its way */
    quoted: z.int(),
    offers: z.array(
      z.object({
        soldReferenceId: z.string(),
        fitting: z.array(z.object({ referenceId: z.string(), priceMinor: z.int() })),
      }),
    ),
  }),
);

/** The lines of an order with the offers of its formulas and terms for them. */
export async function readReplacements(
  tx: Transaction,
  shop: string,
  orderId: string,
  lineIds: readonly string[],
): Promise<z.infer<typeof replacementRows>> {
  const rows = await tx.$queryRaw`
    SELECT line."lineId", line.title, line."variantId", line."listPriceMinor" AS "priceMinor", line.currency,
      line."currentQuantity", (
        SELECT count(*)::int FROM "OrderQuote" AS l WHERE l.shop = line.shop AND l."orderId" = line."orderId"
          AND l."lineId" = line."lineId" AND l.state IN ('sending', 'unknown', 'sold')) AS quoted, (
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
        WHERE sold.shop = o.shop AND sold.environment = o.environment AND sold."referenceId" IN (
            SELECT u."offerReferenceId" FROM "InsuredItem" AS u WHERE u.shop = o.shop AND u."orderId" = o."orderId")
          AND EXISTS (
            SELECT FROM "ShopProduct" AS p LEFT JOIN "CategoryRule" AS rule
              ON rule.shop = p.shop AND rule."categoryId" = p."categoryId"
            WHERE p.shop = o.shop AND p."productId" = line."productId"
              AND (p."categoryId" = sold."categoryId" OR sold."categoryId" = ANY(rule."otherCategoryIds")))) AS offers
    FROM "OrderLine" AS line JOIN "Order" AS o ON o.shop = line.shop AND o."orderId" = line."orderId"
    WHERE line.shop = ${shop} AND line."orderId" = ${orderId} AND line."lineId" = ANY(${[...lineIds]})
    ORDER BY line."lineId"`;
  return replacementRows.parse(rows);
}

/** An item whose cover moves, with the number of its new item and what that one insures. */
interface MovedItem {
  lineId: string;
  itemNumber: number;
  movedNumber: number;
  insuredLineId: string;
  insuredVariantId: string | null;
  insuredTitle: string;
  insuredPriceMinor: number;
  insuredCurrency: string;
  offerReferenceId: string;
  offerPriceMinor: number;
}

/** Gives the cover of each of these an item of its own, with the premium. Safe to repeat. */
export async function insertMovedItems(
  tx: Transaction,
  shop: string,
  orderId: string,
  moved: readonly MovedItem[],
): Promise<void> {
  await tx.$executeRaw`
    WITH moving AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) AS m("lineId" text, "itemNumber" int,
        "movedNumber" int, "insuredLineId" text, "insuredVariantId" text, "insuredTitle" text, "insuredPriceMinor" int,
        "insuredCurrency" text, "offerReferenceId" text, "offerPriceMinor" int)
    ), inserted AS (
      INSERT INTO "InsuredItem" (shop, "orderId", environment, "lineId", "itemNumber", "replacesItem", accepted,
        "offerReferenceId", "planVariantId", "planTitle", "offerPriceMinor", "premiumMinor", currency, "termMonths",
        "insuredLineId", "insuredVariantId", "insuredTitle", "insuredPriceMinor", "insuredCurrency", touchpoint, consent,
        "sealedConsent", "conditionsUrl", "ipidUrl", "fulfilledAt")
      SELECT u.shop, u."orderId", u.environment, u."lineId", m."movedNumber", u."itemNumber", u.accepted,
        m."offerReferenceId", u."planVariantId", u."planTitle", m."offerPriceMinor", u."premiumMinor", u.currency,
        u."termMonths", m."insuredLineId", m."insuredVariantId", m."insuredTitle", m."insuredPriceMinor",
        m."insuredCurrency", u.touchpoint, u.consent, u."sealedConsent", u."conditionsUrl", u."ipidUrl", u."fulfilledAt"
      FROM "InsuredItem" AS u JOIN moving AS m USING ("lineId", "itemNumber")
      WHERE u.shop = ${shop} AND u."orderId" = ${orderId}
      ON CONFLICT DO NOTHING
      RETURNING *
    ), written AS (
      INSERT INTO "ItemHistory" (shop, "orderId", "lineId", "itemNumber", after, cause, attempt, note)
      SELECT u.shop, u."orderId", u."lineId", inserted."itemNumber", inserted.state, 'cover_moved', 0, u."contractId"
      FROM inserted JOIN "InsuredItem" AS u ON u.shop = inserted.shop AND u."orderId" = inserted."orderId"
        AND u."lineId" = inserted."lineId" AND u."itemNumber" = inserted."replacesItem"
    )
    UPDATE "InsuredItem" AS u SET wanted = false, "endedInOrder" = false, "premiumMinor" = 0
    FROM moving AS m WHERE u.shop = ${shop} AND u."orderId" = ${orderId} AND u."lineId" = m."lineId"
      AND u."itemNumber" = m."itemNumber"`;
}

interface ItemChange {
  lineId: string;
  itemNumber: number;
  wanted?: boolean;
  endedInOrder?: boolean;
  insuredLineId?: string;
}

export async function saveItemChanges(
  tx: Transaction,
  shop: string,
  orderId: string,
  changes: readonly ItemChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await tx.$executeRaw`
    UPDATE "InsuredItem" AS u SET wanted = COALESCE(change.wanted, u.wanted),
      "endedInOrder" = COALESCE(change."endedInOrder", u."endedInOrder"),
      "insuredLineId" = COALESCE(change."insuredLineId", u."insuredLineId")
    FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS change("lineId" text, "itemNumber" int,
      wanted boolean, "endedInOrder" boolean, "insuredLineId" text)
    WHERE u.shop = ${shop} AND u."orderId" = ${orderId} AND u."lineId" = change."lineId"
      AND u."itemNumber" = change."itemNumber"`;
}
