/**
 * Orders with their plans, and tasks, as CSV files. Column names are the specification's words, amounts are decimal
 * with a point, times are UTC, so that a file reads the same in every language.
 */
import { csvResponse } from "#app/platform/csv.server.ts";
import { toDecimalText } from "#app/platform/money.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { orderFilter } from "./order-filter.ts";
import { iterateOrders } from "./order-list.server.ts";
import type { ListedOrder, ListedUnit } from "./order-list.server.ts";
import { iterateTasks } from "#app/plans/tasks/task-list.server.ts";
import { taskFilter } from "#app/plans/tasks/task-view.ts";
import type { TaskView } from "#app/plans/tasks/task-view.ts";

const amount = (minor: number | null, currency: string | null) =>
  minor === null || currency === null ? "" : toDecimalText(minor, currency);

const orderColumns: Record<string, (order: ListedOrder, unit: ListedUnit | null) => string> = {
  order: ({ name }) => name,
  order_reference_id: ({ orderId }) => orderId,
  purchased_at: ({ purchasedAt }) => purchasedAt.toISOString(),
  cancelled_at: ({ cancelledAt }) => cancelledAt?.toISOString() ?? "",
  environment: ({ environment }) => environment,
  customer_email: ({ email }) => email ?? "",
  plan_id: (_, unit) => unit?.contractId ?? "",
  plan_status: (_, unit) => unit?.state ?? "",
  offer_reference_id: (_, unit) => unit?.offerReferenceId ?? "",
  title: (_, unit) => unit?.planTitle ?? "",
  term_length: (_, unit) => unit?.termMonths?.toString() ?? "",
  price: (_, unit) => amount(unit?.premiumMinor ?? null, unit?.currency ?? null),
  offer_price: (_, unit) => amount(unit?.offerPriceMinor ?? null, unit?.currency ?? null),
  currency_code: (_, unit) => unit?.currency ?? "",
  activation_date: (_, unit) => unit?.activatesOn ?? "",
  expiration_date: (_, unit) => unit?.expiresOn ?? "",
  insured_product: (_, unit) => unit?.insuredTitle ?? "",
  insured_price: (_, unit) => amount(unit?.insuredPriceMinor ?? null, unit?.insuredCurrency ?? null),
  insured_currency_code: (_, unit) => unit?.insuredCurrency ?? "",
  touchpoint: (_, unit) => unit?.touchpoint ?? "",
};

/** One row per plan; an order without plans has one row. */
export function exportOrders(merchant: Merchant, search: URLSearchParams): Response {
  const orders = iterateOrders(merchant, orderFilter.parse(Object.fromEntries(search)));
  const cells = Object.values(orderColumns);
  const rows = async function* () {
    for await (const order of orders) {
      for (const unit of order.units.length === 0 ? [null] : order.units) {
        yield cells.map((cell) => cell(order, unit));
      }
    }
  };
  return csvResponse("orders.csv", Object.keys(orderColumns), rows());
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
  inWords: (task: TaskView) => TaskTexts,
): Response {
  const tasks = iterateTasks(merchant, taskFilter.parse(Object.fromEntries(search)));
  const columns = [
    "opened_at",
    "closed_at",
    "outcome",
    "order",
    "order_reference_id",
    "kind",
    "task",
    "why",
    "todo",
  ];
  const rows = async function* () {
    for await (const task of tasks) {
      const { title, why, todo } = inWords(task);
      const { openedAt, closedAt, outcome, orderName, orderId, kind } = task;
      yield [
        openedAt.toISOString(),
        closedAt?.toISOString() ?? "",
        outcome ?? "",
        orderName ?? "",
        orderId ?? "",
        kind,
        title,
        why,
        todo,
      ];
    }
  };
  return csvResponse("tasks.csv", columns, rows());
}
