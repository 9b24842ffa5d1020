/** The statements of a period as a file. */
import { z } from "zod";
import type { Merchant } from "#app/merchants/merchant.ts";
import { reasons, unitStates } from "#app/plans/ledger/unit-states.ts";
import { orderFilter } from "#app/plans/orders/order-forms.ts";
import { type Cell, csvTable, type FileLanguage } from "#app/platform/csv.server.ts";
import { db } from "#app/platform/db.server.ts";
import { keysetClause } from "#app/platform/keyset.server.ts";
import { inBatches, type Keyset, type TimeKey } from "#app/platform/keyset.ts";
import { withinPeriod } from "#app/platform/keyset.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { premiumShares, type Statement, statementsOf } from "./statement.ts";

const statementRow = z.object({
  orderId: z.string(),
  name: z.string(),
  purchasedAt: z.coerce.date(),
  paidAt: z.coerce.date().nullable(),
  cancelledAt: z.coerce.date().nullable(),
  units: z.array(
    z.object({
      lineId: z.string(),
      unitNumber: z.int(),
      state: z.enum(unitStates),
      reason: z.enum(reasons).nullable(),
      wanted: z.boolean(),
      endedInOrder: z.boolean(),
      premiumMinor: z.int(),
      currency: z.string(),
      withdrawnAt: z.coerce.date().nullable(),
      premiumAnswer: z.string().nullable(),
    }),
  ),
  tasks: z.array(
    z.object({
      kind: z.string(),
      lineId: z.string().nullable(),
      unitNumber: z.int().nullable(),
      units: z.array(z.object({ lineId: z.string(), unitNumber: z.int() })),
    }),
  ),
});

type OrderStatements = Omit<z.infer<typeof statementRow>, "units" | "tasks"> & { statements: Statement[] };

async function readStatements(
  shop: string,
  condition: Prisma.Sql,
  page: Prisma.Sql,
): Promise<OrderStatements[]> {
  const rows = await db.$queryRaw`
    SELECT o."orderId", o.name, o."purchasedAt", o."paidAt", o."cancelledAt",
      (SELECT COALESCE(jsonb_agg(to_jsonb(u)), '[]') FROM "InsuredUnit" AS u
       WHERE u.shop = o.shop AND u."orderId" = o."orderId") AS units,
      (SELECT COALESCE(jsonb_agg(jsonb_build_object('kind', t.kind, 'lineId', t."lineId", 'unitNumber', t."unitNumber",
         'units', COALESCE(t.details->'units', CASE t.kind WHEN 'product_returned' THEN t.details->'plans' END, '[]'))),
         '[]')
       FROM "Task" AS t WHERE t.shop = o.shop AND t."orderId" = o."orderId" AND t."closedAt" IS NULL) AS tasks
    FROM "Order" AS o
    WHERE o.shop = ${shop} AND ${condition}
      AND EXISTS (SELECT FROM "InsuredUnit" AS u WHERE u.shop = o.shop AND u."orderId" = o."orderId")
    ${page}`;
  return z
    .array(statementRow)
    .parse(rows)
    .map(({ units, tasks, ...order }) => {
      const facts = { paid: order.paidAt !== null, cancelled: order.cancelledAt !== null };
      return { ...order, statements: statementsOf(facts, units, tasks) };
    });
}

interface StatementLine {
  order: OrderStatements;
  statement: Statement;
}

const columns: Record<string, (line: StatementLine) => Cell> = {
  order: ({ order }) => order.name,
  orderReferenceId: ({ order }) => order.orderId,
  purchasedAt: ({ order }) => order.purchasedAt,
  cancelledAt: ({ order }) => order.cancelledAt,
  currencyCode: ({ statement }) => statement.currency,
  premiumPaid: ({ statement: { paidMinor, currency } }) => ({ minor: paidMinor, currency }),
  ...Object.fromEntries(
    premiumShares.map((share) => [
      `premium_${share}`,
      ({ statement: { shares, currency } }: StatementLine): Cell => ({ minor: shares[share], currency }),
    ]),
  ),
};

/** One line for each order of a period with insurance, and for each currency of it: a month's file is its statement. */
export function exportStatements(
  { shop, timezone, environment }: Pick<Merchant, "shop" | "timezone" | "environment">,
  search: URLSearchParams,
  language: FileLanguage,
): Response {
  const { start, end } = orderFilter.parse(Object.fromEntries(search));
  const conditions = [
    Prisma.sql`o.environment = ${environment}`,
    ...withinPeriod(Prisma.sql`o."purchasedAt"`, { start, end }, timezone),
  ];
  const byTime = [{ column: Prisma.sql`o."purchasedAt"` }, { column: Prisma.sql`o."orderId"` }] as const;
  const read = (keyset: Keyset<TimeKey>, size: number) =>
    readStatements(
      shop,
      Prisma.join(conditions, " AND "),
      Prisma.sql`${keysetClause(keyset, byTime)} LIMIT ${size}`,
    );
  const orders = inBatches(200, read, ({ purchasedAt, orderId }): TimeKey => [purchasedAt, orderId]);
  const lines = async function* (): AsyncGenerator<StatementLine> {
    for await (const order of orders) for (const statement of order.statements) yield { order, statement };
  };
  return csvTable("statement.csv", columns, lines(), language);
}
