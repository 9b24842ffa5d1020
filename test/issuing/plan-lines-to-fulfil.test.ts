import { expect, test } from "vitest";
import { planLinesToFulfil } from "#app/issuing/shop-steps.ts";
import type { FulfilmentOrder } from "#app/shopify/fulfilment.ts";

const order = (id: string, current: number, remaining: number, isOpen = true): FulfilmentOrder => ({
  id,
  isOpen,
  lines: [{ id: `${id}-plan`, lineId: "plan", currentQuantity: current, remainingQuantity: remaining }],
});
const fulfil = (contracts: number, ...orders: FulfilmentOrder[]) => {
  const { fulfilments, blocked } = planLinesToFulfil(new Map([["plan", contracts]]), orders);
  return {
    toFulfil: fulfilments.map(({ fulfilmentOrderId, lines: [line] }) => [fulfilmentOrderId, line?.quantity]),
    blocked,
  };
};

test.each([
  ["of three items with two contracts, two", 2, [order("a", 3, 3)], [["a", 2]], []],
  ["the second contract of three items, one more", 2, [order("a", 3, 2)], [["a", 1]], []],
  ["what the merchant fulfilled already, nothing", 2, [order("a", 3, 1)], [], []],
  [
    "items in two fulfilment orders, from both",
    2,
    [order("a", 2, 1), order("b", 2, 1)],
    [
      ["a", 1],
      ["b", 1],
    ],
    [],
  ],
  ["a fulfilment order on hold, nothing, and it waits", 1, [order("a", 1, 1, false)], [], ["plan"]],
  ["no fulfilment order that the app sees, nothing, and it waits", 1, [], [], ["plan"]],
])("fulfilled is: %s", (_, contracts, orders, toFulfil, blocked) => {
  expect(fulfil(contracts, ...orders)).toEqual({ toFulfil, blocked });
});
