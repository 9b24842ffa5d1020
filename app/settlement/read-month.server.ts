/**
 * Reads what a settlement needs: the movements of one month with their contracts, and what the insurer shows of them.
 * The statements select by month and by number; what belongs to the month is decided by settledMonth (month.ts).
 */
import { z } from "zod";
import type { AnalyticsImport } from "#app/platform/prisma/client.ts";
import { lastImports, organisationOf } from "#app/analytics/import.server.ts";
import { commissionRow, pointsOfSale, saleRow } from "#app/analytics/organisation-figures.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { contractStatuses } from "#app/orders/book/events.ts";
import { movementKinds } from "#app/orders/book/movements.ts";
import { daysBefore, lastDayOfMonth, startOfDay, toLocalDay } from "#app/platform/day.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { HeldContract } from "./settlement-facts.ts";
import { byDay, type SaleFacts } from "./insurer-figures.ts";
import { COMMISSION_DAYS, hasCloseCollections } from "./missing-air.ts";
import { addMonths, settledMonth } from "./month.ts";
import { type OwnPointsOfSale, ownPointsOfSale, type PointOfSale } from "./point-of-sale.ts";
import type { CountedCommission, InsurerFacts, Movement, SettlementFacts } from "./settlement-facts.ts";

/** A month of points of sale, with what its page says beside the settlement. */
export interface MonthFacts {
  facts: SettlementFacts;
  /** all of the organisation's */
  stores: PointOfSale[];
  /** those that are this shop; null: not known */
  own: OwnPointsOfSale;
  /** the one that sold most of the shop's contracts, to propose it; null: `own` is known, or none sold any */
  proposedStoreId: string | null;
  /** when the insurer's figures were read last; null: they were not, or there is no organisation token */
  importedAt: Date | null;
  hasOrganisation: boolean;
}

interface MonthRequest {
  month: string;
  /** the point of sale that is looked at; null: this shop */
  storeId: string | null;
}

export async function readMonth(
  merchant: Merchant,
  { month, storeId: lookedAt }: MonthRequest,
  now: Date,
  tx: Transaction = db,
): Promise<MonthFacts> {
  const { shop, environment, timezone, currency } = merchant;
  const organisation = await organisationOf(shop, environment);
  const imports = organisation && (await lastImports(shop, organisation.id));
  const stores = organisation ? await pointsOfSale(shop, organisation.id) : [];
  const connection = await tx.connection.findUnique({
    where: { shop_environment: { shop, environment } },
    select: { storeId: true, pointsOfSale: true },
  });
  const mostSelling = organisation && (await readMostSelling(merchant, organisation.id));
  const own = ownPointsOfSale(stores, connection?.pointsOfSale ?? [], connection?.storeId ?? "", mostSelling);
  const other = stores.find((each) => each.storeId === lookedAt && !own?.storeIds.includes(each.storeId));
  const isOwnStore = other === undefined;
  const storeIds = other ? [other.storeId] : (own?.storeIds ?? []);
  const scope: Scope = {
    merchant,
    month,
    today: toLocalDay(timezone, now),
    closed: isOwnStore ? await readClosedMonths(tx, merchant) : new Set(),
  };
  const ofMonth = isOwnStore ? await readContractsOfMonth(tx, scope) : [];
  const rows = isOwnStore ? await readMovements(tx, scope, ofMonth) : [];
  const contracts = new Map(
    ofMonth.flatMap((row) => heldContract(row) ?? []).map((each) => [each.contractId, each]),
  );
  const insurer =
    organisation && imports?.lastDone
      ? await readInsurer(
          tx,
          scope,
          organisation.id,
          storeIds,
          [...contracts.keys()],
          readOnOf(imports, timezone),
        )
      : null;
  const named = new Set(
    insurer
      ? [...insurer.sales, ...insurer.commissions]
          .map(({ saleId }) => saleId)
          .filter((id) => !contracts.has(id))
      : [],
  );
  const known = isOwnStore && named.size > 0 ? await readContracts(tx, merchant, [...named]) : [];
  return {
    facts: {
      month,
      today: scope.today,
      storeIds,
      isOwnStore,
      currency,
      since: toLocalDay(timezone, merchant.installedAt),
      movements: rows,
      contracts: [...contracts.values(), ...known.flatMap((row) => heldContract(row) ?? [])],
      otherContracts: isOwnStore ? await readOtherContracts(tx, merchant, [...named]) : new Set(),
      insurer,
    },
    stores,
    own,
    proposedStoreId: own === null ? mostSelling : null,
    importedAt: imports?.lastDone?.finishedAt ?? null,
    hasOrganisation: organisation !== null,
  };
}

interface Scope {
  merchant: Merchant;
  month: string;
  /** `YYYY-MM-DD` */
  today: string;
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

const dayOf = (timezone: string, column: Prisma.Sql) =>
  Prisma.sql`to_char(${column} AT TIME ZONE ${timezone}, 'YYYY-MM-DD')`;

const contractColumns = (
  timezone: string,
) => Prisma.sql`o."orderId", o.name AS "orderName", i."lineId", i."itemNumber",
  i."contractId", i."planTitle" AS title, i."offerReferenceId" AS "referenceId", i."termMonths", i."offerPriceMinor",
  i.currency, i."contractStatus", i."contractPriceMinor", i."contractCurrency",
  ${dayOf(timezone, Prisma.sql`i."insuredAt"`)} AS "begunOn", ${dayOf(timezone, Prisma.sql`i."endedAt"`)} AS "endedOn",
  ${dayOf(timezone, Prisma.sql`i."contractEndedAt"`)} AS "endedThereOn"`;

const contractRow = z.object({
  orderId: z.string(),
  orderName: z.string(),
  lineId: z.string(),
  itemNumber: z.int(),
  contractId: z.string().nullable(),
  title: z.string(),
  referenceId: z.string(),
  termMonths: z.int().nullable(),
  offerPriceMinor: z.int(),
  currency: z.string(),
  contractStatus: z.enum(contractStatuses).nullable(),
  contractPriceMinor: z.int().nullable(),
  contractCurrency: z.string().nullable(),
  begunOn: z.string().nullable(),
  endedOn: z.string().nullable(),
  endedThereOn: z.string().nullable(),
});
type ContractRow = z.infer<typeof contractRow>;

const movementRow = z.object({
  id: z.string(),
  kind: z.enum(movementKinds),
  amountMinor: z.int(),
  currency: z.string(),
  happenedOn: z.string(),
  knownOn: z.string(),
  closedIn: z.string().nullable(),
  orderId: z.string(),
  lineId: z.string(),
  itemNumber: z.int(),
});

/** A condition on "PremiumMovement": what may belong to the month. */
function mayBeOfMonth(scope: Scope): Prisma.Sql {
  const { month, merchant, closed } = scope;
  const { environment, timezone } = merchant;
  const [start, end] = timesOf(timezone, month);
  const [found] = timesOf(timezone, foundFrom(scope));
  // Only closed months have corrections.
  const isCorrection =
    closed.size === 0 ? Prisma.sql`false` : Prisma.sql`m."knownAt" >= ${found} AND m."knownAt" < ${end}`;
  return Prisma.sql`m.environment = ${environment} AND (m."happenedAt" >= ${start} AND m."happenedAt" < ${end} OR ${isCorrection})`;
}

const timesOf = (timezone: string, month: string): [start: Date, end: Date] => [
  startOfDay(timezone, `${month}-01`),
  startOfDay(timezone, `${addMonths(month, 1)}-01`),
];

/** The insured items of the month's movements, and those that ended in it here or at the insurer. */
async function readContractsOfMonth(tx: Transaction, scope: Scope): Promise<ContractRow[]> {
  const { shop, environment, timezone } = scope.merchant;
  const [start, end] = timesOf(timezone, scope.month);
  const endedIn = (column: Prisma.Sql) => Prisma.sql`
    SELECT "orderId", "lineId", "itemNumber" FROM "InsuredItem"
    WHERE shop = ${shop} AND environment = ${environment} AND ${column} >= ${start} AND ${column} < ${end}`;
  const rows = await tx.$queryRaw`
    SELECT ${contractColumns(timezone)}
    FROM (
      SELECT m."orderId", m."lineId", m."itemNumber" FROM "PremiumMovement" AS m
      WHERE m.shop = ${shop} AND ${mayBeOfMonth(scope)}
      UNION ${endedIn(Prisma.sql`"endedAt"`)} UNION ${endedIn(Prisma.sql`"contractEndedAt"`)}
    ) AS of_month
      JOIN "InsuredItem" AS i ON i.shop = ${shop} AND i."orderId" = of_month."orderId"
        AND i."lineId" = of_month."lineId" AND i."itemNumber" = of_month."itemNumber"
      JOIN "Order" AS o ON o.shop = i.shop AND o."orderId" = i."orderId"`;
  return z.array(contractRow).parse(rows);
}

/** The movements that belong to the month, oldest first. @param items of all of them */
async function readMovements(
  tx: Transaction,
  scope: Scope,
  items: readonly ContractRow[],
): Promise<Movement[]> {
  const { month, closed, merchant } = scope;
  const { shop, timezone } = merchant;
  const rows = await tx.$queryRaw`
    SELECT m.id::text AS id, m.kind, m."amountMinor", m.currency, m."closedIn", m."orderId", m."lineId", m."itemNumber",
      ${dayOf(timezone, Prisma.sql`m."happenedAt"`)} AS "happenedOn",
      ${dayOf(timezone, Prisma.sql`m."knownAt"`)} AS "knownOn"
    FROM "PremiumMovement" AS m WHERE m.shop = ${shop} AND ${mayBeOfMonth(scope)}
    ORDER BY m."happenedAt", m.id`;
  const nameOf = (of: Pick<ContractRow, "orderId" | "lineId" | "itemNumber">) =>
    `${of.orderId} ${of.lineId} ${of.itemNumber}`;
  const byItem = new Map(items.map((item) => [nameOf(item), item]));
  return z
    .array(movementRow)
    .parse(rows)
    .filter((row) => (row.closedIn ?? settledMonth(row, closed)) === month)
    .flatMap((row) => {
      const item = byItem.get(nameOf(row));
      // A new item of an order that changes at this moment: its movement is read with it next time.
      if (item === undefined) return [];
      const { orderName, contractId, title, referenceId } = item;
      return { ...row, orderName, contractId, title, referenceId };
    });
}

/** The contracts of these numbers. */
async function readContracts(
  tx: Transaction,
  { shop, environment, timezone }: Merchant,
  contractIds: readonly string[],
): Promise<ContractRow[]> {
  const rows = await tx.$queryRaw`
    SELECT ${contractColumns(timezone)}
    FROM "InsuredItem" AS i JOIN "Order" AS o ON o.shop = i.shop AND o."orderId" = i."orderId"
    WHERE i.shop = ${shop} AND i.environment = ${environment} AND i."contractId" = ANY(${contractIds})`;
  return z.array(contractRow).parse(rows);
}

function heldContract(row: ContractRow): HeldContract | null {
  const { contractId, contractStatus, contractPriceMinor: minor, contractCurrency } = row;
  if (contractId === null || contractStatus === null) return null;
  const { termMonths, offerPriceMinor, currency, begunOn, endedOn, endedThereOn } = row;
  return {
    contractId,
    order: { id: row.orderId, name: row.orderName },
    termMonths,
    offerPriceMinor,
    currency,
    status: contractStatus,
    shownPrice: minor === null || contractCurrency === null ? null : { minor, currency: contractCurrency },
    begunOn,
    endedOn,
    endedThereOn,
  };
}

const contractNumbers = z.array(z.object({ contractId: z.string() }));

/** Those of the numbers whose contracts owe nothing: of quotes, and in no clear state. */
async function readOtherContracts(
  tx: Transaction,
  { shop, environment }: Merchant,
  contractIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (contractIds.length === 0) return new Set();
  const known = (table: Prisma.Sql, column: Prisma.Sql) => Prisma.sql`
    SELECT ${column} AS "contractId" FROM ${table}
    WHERE shop = ${shop} AND environment = ${environment} AND ${column} = ANY(${contractIds})`;
  const contractId = Prisma.sql`"contractId"`;
  const rows = await tx.$queryRaw`
    ${known(Prisma.sql`"OrderQuote"`, contractId)} UNION ALL ${known(Prisma.sql`"Quote"`, contractId)}
    UNION ALL ${known(Prisma.sql`"InsuredItem"`, Prisma.sql`"unclearContractId"`)}`;
  return new Set(contractNumbers.parse(rows).map((row) => row.contractId));
}

const mostSelling = z.array(z.object({ storeId: z.string() })).max(1);
/** So many of the latest contracts tell which point of sale may be this shop. */
const TELLING_CONTRACTS = 300;

async function readMostSelling(
  { shop, environment }: Merchant,
  organisation: string,
): Promise<string | null> {
  const rows = await db.$queryRaw`
    SELECT s."storeId" FROM (
      SELECT m."orderId", m."lineId", m."itemNumber" FROM "PremiumMovement" AS m
      WHERE m.shop = ${shop} AND m.environment = ${environment} AND m.kind = 'contract'
      ORDER BY m."happenedAt" DESC LIMIT ${TELLING_CONTRACTS}
    ) AS latest
      JOIN "InsuredItem" AS i ON i.shop = ${shop} AND i."orderId" = latest."orderId" AND i."lineId" = latest."lineId"
        AND i."itemNumber" = latest."itemNumber"
      JOIN "OrganisationSale" AS s ON s.shop = ${shop} AND s.organisation = ${organisation}
        AND s."saleId" = i."contractId"
    GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`;
  return mostSelling.parse(rows)[0]?.storeId ?? null;
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
  storeIds: readonly string[],
  contractIds: readonly string[],
  readOn: InsurerFacts["readOn"],
): Promise<InsurerFacts> {
  const { month, today, merchant, closed } = scope;
  const { shop, environment, timezone } = merchant;
  const [first, last] = [`${month}-01`, lastDayOfMonth(`${month}-01`)];
  const ofStores = Prisma.sql`s."storeId" = ANY(${storeIds})`;
  const sales = new Map<string, SaleFacts>();
  const addSales = async (where: Prisma.Sql) => {
    const rows = await tx.$queryRaw`
      SELECT ${saleColumns} FROM "OrganisationSale" AS s
      WHERE s.shop = ${shop} AND s.organisation = ${organisation} AND ${where}`;
    const read = z.array(saleFacts).parse(rows);
    for (const sale of read) sales.set(sale.saleId, sale);
    return read;
  };
  const addSalesOf = async (ids: readonly string[]) => {
    const unknown = [...new Set(ids)].filter((id) => !sales.has(id));
    if (unknown.length > 0) await addSales(Prisma.sql`s."saleId" = ANY(${unknown})`);
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
  const inMonth = (day: Prisma.Sql) => Prisma.sql`${day} BETWEEN ${first} AND ${last}`;
  await addSales(Prisma.sql`${ofStores} AND ${inMonth(Prisma.sql`s.date`)}`);
  // The book may know of the end a month later, and the sale may be on another point of sale.
  await addSales(Prisma.sql`${inMonth(Prisma.sql`s."cancelledOn"`)} AND (${ofStores} OR EXISTS (
    SELECT FROM "InsuredItem" AS i
    WHERE i.shop = s.shop AND i.environment = ${environment} AND i."contractId" = s."saleId"))`);
  await addSalesOf(contractIds);
  // In a month that goes on, each contract may be without AIR, and none is missing yet.
  const isOver = last < today;
  const withoutAir = isOver
    ? await addSales(Prisma.sql`
    ${ofStores} AND s.monthly AND s."airFrom" <= ${last}
    AND (s."cancelledOn" >= ${first} OR s."cancelledOn" IS NULL)
    AND NOT EXISTS (
      SELECT FROM "OrganisationCommission" AS c
      WHERE c.shop = s.shop AND c.organisation = s.organisation AND c."saleId" = s."saleId" AND c.type = 'air'
        AND ${inMonth(Prisma.sql`c.date`)})`)
    : [];
  const ofStore = Prisma.sql`c."storeId" = ANY(${storeIds})`;
  await addCommissions(Prisma.sql`${ofStore} AND ${inMonth(Prisma.sql`c.date`)}`);
  if (closed.size > 0) {
    const [found] = timesOf(timezone, foundFrom(scope));
    const [, end] = timesOf(timezone, month);
    await addCommissions(Prisma.sql`${ofStore} AND c."changedAt" >= ${found} AND c."changedAt" < ${end}`);
  }
  await addSalesOf([...commissions.values()].map(({ saleId }) => saleId));
  // What was paid before decides whether it is paid again, and what another point of sale has is not missing.
  const paid = new Set([...commissions.values()].map(({ saleId }) => saleId));
  const others = [...sales.values()].filter(({ saleId, date }) => date < first || !paid.has(saleId));
  const recent = Prisma.sql`(c.type = 'front' OR c.date >= ${daysBefore(first, COMMISSION_DAYS)})`;
  const addCommissionsOf = async (of: readonly SaleFacts[], which: Prisma.Sql) => {
    if (of.length > 0)
      await addCommissions(Prisma.sql`c."saleId" = ANY(${of.map(({ saleId }) => saleId)}) AND ${which}`);
  };
  await addCommissionsOf(others, recent);
  await addCommissionsOf(withoutAir, Prisma.sql`true`);
  // Whether one of two that are close together is late or paid twice depends on all before them.
  const airs = [...commissions.values()].filter(({ type }) => type === "air");
  const withClose = [...Map.groupBy(airs, ({ saleId }) => saleId)].flatMap(([saleId, ofSale]) =>
    hasCloseCollections(ofSale) ? (sales.get(saleId) ?? []) : [],
  );
  await addCommissionsOf(withClose, Prisma.sql`true`);
  const counted = [...commissions.values()]
    .filter(({ storeId }) => storeIds.includes(storeId))
    .toSorted(byDay)
    .flatMap((commission) => countedIn(scope, commission) ?? []);
  return { sales: [...sales.values()], commissions: [...commissions.values()], counted, readOn };
}

const saleColumns = Prisma.sql`s."saleId", s.date, s.status, s."cancelledOn", s.monthly, s.store, s."storeId",
  s."priceMinor", s."frontMinor", s."airMinor"`;
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
