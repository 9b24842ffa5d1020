/**
 * Reads what a settlement needs: the movements of one month with their contracts, and what the insurer shows of them.
 * The statements select by month and by number; what belongs to the month is decided by settledMonth (month.ts).
 */
import { z } from "zod";
import type { AnalyticsImport } from "#app/platform/prisma/client.ts";
import { lastImports, organisationOf } from "#app/analytics/import.server.ts";
import { commissionRow, pointsOfSale, saleRow } from "#app/analytics/organisation-figures.server.ts";
import { findConnection } from "#app/merchants/merchant.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { contractStatuses } from "#app/orders/book/events.ts";
import { movementKinds } from "#app/orders/book/movements.ts";
import { lastDayOfMonth, startOfDay, toLocalDay } from "#app/platform/day.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { HeldContract } from "./contract-checks.ts";
import type { SaleFacts } from "./insurer-figures.ts";
import { addMonths, settledMonth } from "./month.ts";
import { ownPointOfSale, type PointOfSale } from "./point-of-sale.ts";
import type { CountedCommission, InsurerFacts, SettlementFacts } from "./settlement.ts";

/** A month of a point of sale, with what its page says beside the settlement. */
export interface MonthFacts {
  facts: SettlementFacts;
  stores: PointOfSale[];
  /** the point of sale that is this shop; null: not known */
  ownStoreId: string | null;
  /** when the insurer's figures were read last; null: they were not, or there is no organisation token */
  importedAt: Date | null;
  hasOrganisation: boolean;
}

interface MonthRequest {
  month: string;
  /** the chosen point of sale; null: this shop */
  storeId: string | null;
}

export async function readMonth(
  merchant: Merchant,
  { month, storeId: chosen }: MonthRequest,
  now: Date,
  tx: Transaction = db,
): Promise<MonthFacts> {
  const { shop, environment, timezone, currency } = merchant;
  const organisation = await organisationOf(shop, environment);
  const imports = organisation && (await lastImports(shop, organisation.id));
  const stores = organisation ? await pointsOfSale(shop, organisation.id) : [];
  const ownStoreId = organisation ? await readOwnStore(merchant, organisation.id, stores) : null;
  const storeId = stores.find((each) => each.storeId === chosen)?.storeId ?? ownStoreId;
  const isOwnStore = storeId === ownStoreId;
  const scope: Scope = {
    merchant,
    month,
    closed: isOwnStore ? await readClosedMonths(tx, merchant) : new Set(),
  };
  const rows = isOwnStore ? await readMovements(tx, scope) : [];
  const contracts = new Map(
    rows.flatMap((row) => heldContract(row) ?? []).map((each) => [each.contractId, each]),
  );
  const insurer =
    organisation && imports?.lastDone
      ? await readInsurer(
          tx,
          scope,
          organisation.id,
          storeId,
          [...contracts.keys()],
          readOnOf(imports, timezone),
        )
      : null;
  const named = insurer
    ? [...insurer.sales, ...insurer.commissions]
        .map(({ saleId }) => saleId)
        .filter((id) => !contracts.has(id))
    : [];
  const known = isOwnStore && named.length > 0 ? await readContracts(tx, merchant, [...new Set(named)]) : [];
  return {
    facts: {
      month,
      today: toLocalDay(timezone, now),
      storeId,
      isOwnStore,
      currency,
      since: toLocalDay(timezone, merchant.installedAt),
      movements: rows,
      contracts: [...contracts.values(), ...known.flatMap((row) => heldContract(row) ?? [])],
      quoteContracts: await readQuoteContracts(tx, merchant, named),
      insurer,
    },
    stores,
    ownStoreId,
    importedAt: imports?.lastDone?.finishedAt ?? null,
    hasOrganisation: organisation !== null,
  };
}

interface Scope {
  merchant: Merchant;
  month: string;
  closed: ReadonlySet<string>;
}

export async function readClosedMonths(
  tx: Transaction,
  { shop, environment }: Merchant,
): Promise<ReadonlySet<string>> {
  const rows = await tx.closedMonth.findMany({ where: { shop, environment }, select: { month: true } });
  return new Set(rows.map(({ month }) => month));
}

/** The day before which corrections of closed months were found in an earlier month. */
function foundFrom({ month, closed }: Scope): string {
  let from = month;
  while (closed.has(addMonths(from, -1))) from = addMonths(from, -1);
  return from;
}

const contractColumns = Prisma.sql`o."orderId", o.name AS "orderName", o."cancelledAt" IS NOT NULL AS "isOrderCancelled",
  i."contractId", i."planTitle" AS title, i."offerReferenceId" AS "referenceId", i.wanted, i."termMonths",
  i."offerPriceMinor", i.currency, i."contractStatus", i."contractPriceMinor", i."contractCurrency"`;

const contractRow = z.object({
  orderId: z.string(),
  orderName: z.string(),
  isOrderCancelled: z.boolean(),
  contractId: z.string().nullable(),
  title: z.string(),
  referenceId: z.string(),
  wanted: z.boolean(),
  termMonths: z.int().nullable(),
  offerPriceMinor: z.int(),
  currency: z.string(),
  contractStatus: z.enum(contractStatuses).nullable(),
  contractPriceMinor: z.int().nullable(),
  contractCurrency: z.string().nullable(),
  begunOn: z.string().nullable(),
  changedOn: z.string(),
});
type ContractRow = z.infer<typeof contractRow>;

const movementRow = contractRow.extend({
  id: z.string(),
  kind: z.enum(movementKinds),
  amountMinor: z.int(),
  happenedOn: z.string(),
  knownOn: z.string(),
  closedIn: z.string().nullable(),
  lineId: z.string(),
  itemNumber: z.int(),
});
type MovementRow = z.infer<typeof movementRow>;

const dayOf = (timezone: string, column: Prisma.Sql) =>
  Prisma.sql`to_char(${column} AT TIME ZONE ${timezone}, 'YYYY-MM-DD')`;

/** The movements that belong to the month, oldest first. */
async function readMovements(tx: Transaction, scope: Scope): Promise<MovementRow[]> {
  const { merchant, month, closed } = scope;
  const { shop, environment, timezone } = merchant;
  const start = startOfDay(timezone, `${month}-01`);
  const end = startOfDay(timezone, `${addMonths(month, 1)}-01`);
  const found = startOfDay(timezone, `${foundFrom(scope)}-01`);
  // Only closed months have corrections.
  const isCorrection =
    closed.size === 0 ? Prisma.sql`false` : Prisma.sql`m."knownAt" >= ${found} AND m."knownAt" < ${end}`;
  const rows = await tx.$queryRaw`
    SELECT m.id::text AS id, m.kind, m."amountMinor", ${dayOf(timezone, Prisma.sql`m."happenedAt"`)} AS "happenedOn",
      ${dayOf(timezone, Prisma.sql`m."knownAt"`)} AS "knownOn", m."closedIn", m."lineId", m."itemNumber",
      ${contractColumns}, ${dayOf(timezone, Prisma.sql`i."insuredAt"`)} AS "begunOn",
      ${dayOf(timezone, Prisma.sql`i."changedAt"`)} AS "changedOn"
    FROM "PremiumMovement" AS m
      JOIN "Order" AS o ON o.shop = m.shop AND o."orderId" = m."orderId"
      JOIN "InsuredItem" AS i ON i.shop = m.shop AND i."orderId" = m."orderId" AND i."lineId" = m."lineId"
        AND i."itemNumber" = m."itemNumber"
    WHERE m.shop = ${shop} AND m.environment = ${environment} AND (
      m."happenedAt" >= ${start} AND m."happenedAt" < ${end} OR ${isCorrection})
    ORDER BY m."happenedAt", m.id`;
  return z
    .array(movementRow)
    .parse(rows)
    .filter((row) => (row.closedIn ?? settledMonth(row, closed)) === month);
}

/** The contracts of these numbers. */
async function readContracts(
  tx: Transaction,
  { shop, environment, timezone }: Merchant,
  contractIds: readonly string[],
): Promise<ContractRow[]> {
  const rows = await tx.$queryRaw`
    SELECT ${contractColumns}, ${dayOf(timezone, Prisma.sql`i."insuredAt"`)} AS "begunOn",
      ${dayOf(timezone, Prisma.sql`i."changedAt"`)} AS "changedOn"
    FROM "InsuredItem" AS i JOIN "Order" AS o ON o.shop = i.shop AND o."orderId" = i."orderId"
    WHERE i.shop = ${shop} AND i.environment = ${environment} AND i."contractId" = ANY(${contractIds})`;
  return z.array(contractRow).parse(rows);
}

function heldContract(row: ContractRow): HeldContract | null {
  const { contractId, contractStatus, begunOn, contractPriceMinor: minor, contractCurrency } = row;
  if (contractId === null || contractStatus === null) return null;
  const { termMonths, offerPriceMinor, currency, changedOn } = row;
  return {
    contractId,
    order: { id: row.orderId, name: row.orderName },
    termMonths,
    offerPriceMinor,
    currency,
    status: contractStatus,
    shownPrice: minor === null || contractCurrency === null ? null : { minor, currency: contractCurrency },
    isEnded: !row.wanted || row.isOrderCancelled,
    begunOn: begunOn ?? changedOn,
    changedOn,
  };
}

async function readQuoteContracts(
  tx: Transaction,
  { shop, environment }: Merchant,
  contractIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (contractIds.length === 0) return new Set();
  const rows = await tx.orderQuote.findMany({
    where: { shop, environment, contractId: { in: [...contractIds] } },
    select: { contractId: true },
  });
  return new Set(rows.flatMap(({ contractId }) => contractId ?? []));
}

const soldByRows = z.array(z.object({ storeId: z.string(), contracts: z.coerce.number() }));
/** So many of the latest contracts tell which point of sale is this shop. */
const TELLING_CONTRACTS = 300;

async function readOwnStore(
  { shop, environment }: Merchant,
  organisation: string,
  stores: readonly PointOfSale[],
): Promise<string | null> {
  const [connection, rows] = await Promise.all([
    findConnection(shop, environment),
    db.$queryRaw`
      SELECT s."storeId", count(*) AS contracts FROM (
        SELECT m."orderId", m."lineId", m."itemNumber" FROM "PremiumMovement" AS m
        WHERE m.shop = ${shop} AND m.environment = ${environment} AND m.kind = 'contract'
        ORDER BY m."happenedAt" DESC LIMIT ${TELLING_CONTRACTS}
      ) AS latest
        JOIN "InsuredItem" AS i ON i.shop = ${shop} AND i."orderId" = latest."orderId" AND i."lineId" = latest."lineId"
          AND i."itemNumber" = latest."itemNumber"
        JOIN "OrganisationSale" AS s ON s.shop = ${shop} AND s.organisation = ${organisation}
          AND s."saleId" = i."contractId"
      GROUP BY 1`,
  ]);
  return ownPointOfSale(stores, connection?.storeId ?? "", soldByRows.parse(rows));
}

/** The day on which sales of a day were read last: a daily import reads only recent ones. */
function readOnOf(
  { lastDone, lastWhole }: Record<"lastDone" | "lastWhole", AnalyticsImport | null>,
  timezone: string,
): InsurerFacts["readOn"] {
  const recent = lastDone && toLocalDay(timezone, lastDone.createdAt);
  const whole = lastWhole && toLocalDay(timezone, lastWhole.createdAt);
  const since = lastDone?.since ?? null;
  return (saleDate) => (since === null || saleDate >= since ? recent : whole) ?? "";
}

const saleFacts = saleRow.omit({
  storeExternalId: true,
  productReferenceId: true,
  category: true,
  seller: true,
  airFrom: true,
});

const storedCommission = commissionRow.omit({ storeExternalId: true, priceMinor: true }).extend({
  effectMinor: z.int().nullable(),
  changedOn: z.string(),
  /** what closed months have of it; null: none has it */
  closedMinor: z.int().nullable(),
});
type StoredCommission = z.infer<typeof storedCommission>;

/** @param contractIds the contracts of the month's movements */
async function readInsurer(
  tx: Transaction,
  scope: Scope,
  organisation: string,
  storeId: string | null,
  contractIds: readonly string[],
  readOn: InsurerFacts["readOn"],
): Promise<InsurerFacts> {
  const { month, merchant, closed } = scope;
  const { shop, environment, timezone } = merchant;
  const [first, last] = [`${month}-01`, lastDayOfMonth(`${month}-01`)];
  const ofStore = Prisma.sql`"storeId" = ${storeId}`;
  const sales = new Map<string, SaleFacts>();
  const addSales = async (where: Prisma.Sql) => {
    const rows = await tx.$queryRaw`
      SELECT ${saleColumns} FROM "OrganisationSale"
      WHERE shop = ${shop} AND organisation = ${organisation} AND ${where}`;
    for (const sale of z.array(saleFacts).parse(rows)) sales.set(sale.saleId, sale);
  };
  const addSalesOf = async (ids: readonly string[]) => {
    const unknown = [...new Set(ids)].filter((id) => !sales.has(id));
    if (unknown.length > 0) await addSales(Prisma.sql`"saleId" = ANY(${unknown})`);
  };
  const commissions = new Map<string, StoredCommission>();
  const addCommissions = async (where: Prisma.Sql) => {
    const rows = await tx.$queryRaw`
      SELECT ${commissionColumns}, ${dayOf(timezone, Prisma.sql`c."changedAt"`)} AS "changedOn", k."closedMinor"
      FROM "OrganisationCommission" AS c LEFT JOIN "ClosedCommission" AS k
        ON k.shop = c.shop AND k.environment = ${environment} AND k."commissionId" = c."commissionId"
      WHERE c.shop = ${shop} AND c.organisation = ${organisation} AND ${where}`;
    for (const each of z.array(storedCommission).parse(rows)) commissions.set(each.commissionId, each);
  };
  await addSales(Prisma.sql`${ofStore} AND date BETWEEN ${first} AND ${last}`);
  await addSales(Prisma.sql`${ofStore} AND "cancelledOn" BETWEEN ${first} AND ${last}`);
  await addSalesOf(contractIds);
  await addCommissions(Prisma.sql`c."storeId" = ${storeId} AND c.date BETWEEN ${first} AND ${last}`);
  if (closed.size > 0) {
    const found = startOfDay(timezone, `${foundFrom(scope)}-01`);
    const end = startOfDay(timezone, `${addMonths(month, 1)}-01`);
    await addCommissions(
      Prisma.sql`c."storeId" = ${storeId} AND c."changedAt" >= ${found} AND c."changedAt" < ${end}`,
    );
  }
  await addSalesOf([...commissions.values()].map(({ saleId }) => saleId));
  // What was paid before decides whether it is paid again, and what another point of sale has is not missing.
  const paid = new Set([...commissions.values()].map(({ saleId }) => saleId));
  const others = [...sales.values()].filter(({ saleId, date }) => date < first || !paid.has(saleId));
  if (others.length > 0)
    await addCommissions(Prisma.sql`c."saleId" = ANY(${others.map(({ saleId }) => saleId)})`);
  const counted = [...commissions.values()]
    .filter((commission) => commission.storeId === storeId)
    .toSorted((a, b) => (`${a.date} ${a.commissionId}` < `${b.date} ${b.commissionId}` ? -1 : 1))
    .flatMap((commission) => countedIn(scope, commission) ?? []);
  return { sales: [...sales.values()], commissions: [...commissions.values()], counted, readOn };
}

const saleColumns = Prisma.sql`"saleId", date, status, "cancelledOn", monthly, store, "storeId", "priceMinor",
  "frontMinor", "airMinor"`;
const commissionColumns = Prisma.sql`c."commissionId", c.date, c.store, c."storeId", c."saleId", c.monthly,
  c."billingType", c.type, c."amountMinor", c."effectMinor"`;

/** What of a commission belongs to the month; null: nothing. */
function countedIn({ month, closed }: Scope, stored: StoredCommission): CountedCommission | null {
  const { date, changedOn, effectMinor, closedMinor } = stored;
  // One that contradicts the rules is in no figure: it is a difference.
  const amountMinor = (effectMinor ?? 0) - (closedMinor ?? 0);
  const happenedOn = closedMinor === null ? date : changedOn;
  if (amountMinor === 0 || settledMonth({ happenedOn, knownOn: changedOn }, closed) !== month) return null;
  return { commission: stored, amountMinor, foundOn: changedOn };
}
