import { describe, expect, it } from "vitest";
import {
  type PremiumShare,
  type StatementTask,
  type StatementItem,
  statementsOf,
} from "#app/orders/statement.ts";

const item = (changes: Partial<StatementItem> = {}): StatementItem => ({
  lineId: "plan",
  itemNumber: 1,
  state: "active",
  reason: null,
  wanted: true,
  endedInOrder: false,
  premiumMinor: 4_990,
  currency: "EUR",
  withdrawnAt: null,
  premiumAnswer: null,
  ...changes,
});
const task = (kind: string, changes: Partial<StatementTask> = {}): StatementTask => ({
  kind,
  lineId: null,
  itemNumber: null,
  items: [],
  ...changes,
});
const open = { paid: true, cancelled: false };
const cancelled = { paid: true, cancelled: true };
const ended = { wanted: false, endedInOrder: true, state: "cancelled" } as const;
const taken = { wanted: false, state: "cancelled" } as const;
const named = { items: [{ lineId: "plan", itemNumber: 1 }] };

describe("the share of a premium in its order's statement", () => {
  const rows: [string, typeof open, StatementItem, StatementTask[], PremiumShare][] = [
    ["a contract in force", open, item(), [], "active"],
    ["a contract that is being created", open, item({ state: "unknown" }), [], "underWay"],
    ["an item that left the order", open, item(taken), [], "refunded"],
    ["an item that left a cancelled order", cancelled, item(taken), [], "refunded"],
    [
      "a refunded contract that staff have to cancel",
      open,
      item({ ...taken, state: "attention" }),
      [task("manual_cancellation", { lineId: "plan", itemNumber: 1 })],
      "refunded",
    ],
    ["ended insurance with its task", open, item(ended), [task("premium_kept", named)], "task"],
    [
      "ended insurance of another plan's task",
      open,
      item({ ...ended, itemNumber: 2 }),
      [task("premium_kept", named)],
      "unaccounted",
    ],
    ["ended insurance without a task", open, item(ended), [], "unaccounted"],
    [
      "ended insurance that staff paid back",
      open,
      item({ ...ended, premiumAnswer: "refunded" }),
      [],
      "refunded",
    ],
    [
      "a withdrawal that was paid back, while another of the order is to be",
      open,
      item({ ...ended, withdrawnAt: new Date(0), premiumAnswer: "refunded" }),
      [task("withdrawal")],
      "refunded",
    ],
    ["ended insurance that stays paid", open, item({ ...ended, premiumAnswer: "kept" }), [], "kept"],
    ["a contract whose product went back", open, item(), [task("product_returned", named)], "task"],
    [
      "a withdrawal that is to be refunded",
      open,
      item({ ...ended, withdrawnAt: new Date(0) }),
      [task("withdrawal")],
      "task",
    ],
    [
      "a plan that waits for the customer's data",
      open,
      item({ state: "attention", reason: "missing_customer_data" }),
      [task("customer_data")],
      "task",
    ],
    [
      "a plan that waits for something else",
      open,
      item({ state: "attention", reason: "wrong_price" }),
      [task("customer_data")],
      "unaccounted",
    ],
    [
      "a refused plan with its task",
      open,
      item({ state: "refused" }),
      [task("plan_refused", { lineId: "plan", itemNumber: 1 })],
      "task",
    ],
    ["insurance of an order that was paid back", open, item(), [task("paid_back")], "task"],
    ["a contract that was cancelled elsewhere", open, item({ state: "cancelled" }), [], "unaccounted"],
    [
      "a contract that was cancelled elsewhere, paid back",
      open,
      item({ state: "cancelled", premiumAnswer: "refunded" }),
      [],
      "refunded",
    ],
    [
      "a plan that stayed paid in a cancelled order",
      cancelled,
      item({ state: "cancelled" }),
      [],
      "unaccounted",
    ],
  ];
  it.each(rows)("%s", (_, order, each, tasks, share) => {
    const [statement] = statementsOf(order, [each], tasks);
    expect(statement?.shares).toMatchObject({ [share]: 4_990 });
    expect(statement?.unaccounted).toHaveLength(share === "unaccounted" ? 1 : 0);
  });

  it("adds up to what was paid, by currency", () => {
    const items = [item(), item({ itemNumber: 2, ...taken }), item({ itemNumber: 3, currency: "CHF" })];
    expect(
      statementsOf(open, items, []).map(({ currency, paidMinor, shares }) => [
        currency,
        paidMinor,
        Object.values(shares).reduce((sum, share) => sum + share, 0),
      ]),
    ).toEqual([
      ["EUR", 9_980, 9_980],
      ["CHF", 4_990, 4_990],
    ]);
  });

  it("is none before the order is paid", () => {
    expect(statementsOf({ paid: false, cancelled: false }, [item()], [])).toEqual([]);
  });
});
