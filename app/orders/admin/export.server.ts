/** Orders with their plans, statements of premiums, and tasks, as CSV files. */
import { type Cell, csvTable, type FileLanguage } from "#app/platform/csv.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { orderFilter } from "./order-forms.ts";
import { premiumShares, type Statement } from "#app/orders/statement.ts";
import {
  iterateOrders,
  iterateStatements,
  type ListedOrder,
  type ListedUnit,
  type OrderStatements,
} from "./order-list.server.ts";
import { iterateTasks } from "#app/orders/tasks/tasks.server.ts";
import { taskFilter, type TaskView } from "#app/orders/tasks/tasks.ts";

interface OrderRow {
  order: ListedOrder;
  unit: ListedUnit | null;
}

const orderColumns: Record<string, (row: OrderRow) => Cell> = {
  order: ({ order }) => order.name,
  orderReferenceId: ({ order }) => order.orderId,
  purchasedAt: ({ order }) => order.purchasedAt,
  cancelledAt: ({ order }) => order.cancelledAt,
  environment: ({ order }) => order.environment,
  customerEmail: ({ order }) => order.email,
  planId: ({ unit }) => unit?.contractId ?? null,
  planStatus: ({ unit }) => unit?.state ?? null,
  offerReferenceId: ({ unit }) => unit?.offerReferenceId ?? null,
  title: ({ unit }) => unit?.planTitle ?? null,
  termLength: ({ unit }) => unit?.termMonths ?? null,
  price: ({ unit }) => unit && { minor: unit.premiumMinor, currency: unit.currency },
  offerPrice: ({ unit }) => unit && { minor: unit.offerPriceMinor, currency: unit.currency },
  currencyCode: ({ unit }) => unit?.currency ?? null,
  activationDate: ({ unit }) => unit?.activatesOn ?? null,
  expirationDate: ({ unit }) => unit?.expiresOn ?? null,
  insuredProduct: ({ unit }) => unit?.insuredTitle ?? null,
  insuredPrice: ({ unit }) => unit && { minor: unit.insuredPriceMinor, currency: unit.insuredCurrency },
  insuredCurrencyCode: ({ unit }) => unit?.insuredCurrency ?? null,
  touchpoint: ({ unit }) => unit?.touchpoint ?? null,
};

/** One row per plan; an order without plans has one row. */
export function exportOrders(merchant: Merchant, search: URLSearchParams, language: FileLanguage): Response {
  const orders = iterateOrders(merchant, orderFilter.parse(Object.fromEntries(search)));
  const rows = async function* (): AsyncGenerator<OrderRow> {
    for await (const order of orders) {
      if (order.units.length === 0) yield { order, unit: null };
      for (const unit of order.units) yield { order, unit };
    }
  };
  return csvTable("orders.csv", orderColumns, rows(), language);
}

interface StatementLine {
  order: OrderStatements;
  statement: Statement;
}

const statementColumns: Record<string, (line: StatementLine) => Cell> = {
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
  merchant: Merchant,
  search: URLSearchParams,
  language: FileLanguage,
): Response {
  const orders = iterateStatements(merchant, orderFilter.parse(Object.fromEntries(search)));
  const lines = async function* (): AsyncGenerator<StatementLine> {
    for await (const order of orders) for (const statement of order.statements) yield { order, statement };
  };
  return csvTable("statement.csv", statementColumns, lines(), language);
}

/** A task in words, in the merchant's language. */
export interface TaskTexts {
  title: string;
  why: string;
  todo: string;
}

/** @param inWords puts a task into words; the texts are no concern of this feature */
export function exportTasks(
  merchant: Merchant,
  search: URLSearchParams,
  language: FileLanguage,
  inWords: (task: TaskView) => TaskTexts,
): Response {
  const columns: Record<string, (task: TaskView) => Cell> = {
    openedAt: ({ openedAt }) => openedAt,
    closedAt: ({ closedAt }) => closedAt,
    outcome: ({ outcome }) => outcome,
    dueOn: ({ dueOn }) => dueOn,
    order: ({ orderName }) => orderName,
    orderReferenceId: ({ orderId }) => orderId,
    price: ({ atStakeMinor, currency }) => (atStakeMinor === 0 ? null : { minor: atStakeMinor, currency }),
    currencyCode: ({ currency }) => currency,
    task: (task) => inWords(task).title,
    why: (task) => inWords(task).why,
    todo: (task) => inWords(task).todo,
  };
  const tasks = iterateTasks(merchant, taskFilter.parse(Object.fromEntries(search)));
  return csvTable("tasks.csv", columns, tasks, language);
}
