/** Orders with their plans, statements of premiums, and tasks, as CSV files. */
import { type Cell, csvTable, type FileLanguage } from "#app/platform/csv.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { orderFilter } from "./order-forms.ts";
import { premiumShares, type Statement } from "#app/orders/statement.ts";
import {
  iterateOrders,
  iterateStatements,
  type ListedOrder,
  type ListedItem,
  type OrderStatements,
} from "./order-list.server.ts";
import { iterateTasks } from "#app/orders/tasks/tasks.server.ts";
import { taskFilter, type TaskView } from "#app/orders/tasks/tasks.ts";

interface OrderRow {
  order: ListedOrder;
  item: ListedItem | null;
}

const orderColumns: Record<string, (row: OrderRow) => Cell> = {
  order: ({ order }) => order.name,
  orderReferenceId: ({ order }) => order.orderId,
  purchasedAt: ({ order }) => order.purchasedAt,
  cancelledAt: ({ order }) => order.cancelledAt,
  environment: ({ order }) => order.environment,
  customerEmail: ({ order }) => order.email,
  planId: ({ item }) => item?.contractId ?? null,
  planStatus: ({ item }) => item?.state ?? null,
  offerReferenceId: ({ item }) => item?.offerReferenceId ?? null,
  title: ({ item }) => item?.planTitle ?? null,
  termLength: ({ item }) => item?.termMonths ?? null,
  price: ({ item }) => item && { minor: item.premiumMinor, currency: item.currency },
  offerPrice: ({ item }) => item && { minor: item.offerPriceMinor, currency: item.currency },
  currencyCode: ({ item }) => item?.currency ?? null,
  activationDate: ({ item }) => item?.activatesOn ?? null,
  expirationDate: ({ item }) => item?.expiresOn ?? null,
  insuredProduct: ({ item }) => item?.insuredTitle ?? null,
  insuredPrice: ({ item }) => item && { minor: item.insuredPriceMinor, currency: item.insuredCurrency },
  insuredCurrencyCode: ({ item }) => item?.insuredCurrency ?? null,
  touchpoint: ({ item }) => item?.touchpoint ?? null,
};

/** One row per plan; an order without plans has one row. */
export function exportOrders(merchant: Merchant, search: URLSearchParams, language: FileLanguage): Response {
  const orders = iterateOrders(merchant, orderFilter.parse(Object.fromEntries(search)));
  const rows = async function* (): AsyncGenerator<OrderRow> {
    for await (const order of orders) {
      if (order.items.length === 0) yield { order, item: null };
      for (const item of order.items) yield { order, item };
    }
  };
  return csvTable("orders", orderColumns, rows(), language);
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
  return csvTable("statement", statementColumns, lines(), language);
}

/** A task in words, in the merchant's language. */
export interface TaskTexts {
  title: string;
  why: string;
  todo: string;
}

/** @param describeTask puts a task into words; the texts are no concern of this feature */
export function exportTasks(
  merchant: Merchant,
  search: URLSearchParams,
  language: FileLanguage,
  describeTask: (task: TaskView) => TaskTexts,
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
    task: (task) => describeTask(task).title,
    why: (task) => describeTask(task).why,
    todo: (task) => describeTask(task).todo,
  };
  const tasks = iterateTasks(merchant, taskFilter.parse(Object.fromEntries(search)));
  return csvTable("tasks", columns, tasks, language);
}
