import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSurplus, type PaidItem, type ProductLine, settleItems } from "#app/orders/book/matching.ts";

/** `plan 1 phone`: the first item of the plan line, which insures that line. */
function item(name: string, changes: Partial<PaidItem> = {}): PaidItem {
  const [lineId = "", number = "1", insuredLineId = "phone"] = name.split(" ");
  const sold: PaidItem = {
    lineId,
    itemNumber: Number(number),
    insuredLineId,
    wanted: true,
    endedInOrder: false,
    isKeptWithoutProduct: false,
    refundRequestedAt: null,
    replacesItem: null,
    state: changes.contractId === null ? "pending" : "active",
    contractId: `CT ${lineId} ${number}`,
    reason: null,
    offerReferenceId: "24 months",
    offerPriceMinor: 4_990,
  };
  return { ...sold, ...changes };
}
const ended = { wanted: false, endedInOrder: true };
const refunded = { wanted: false, endedInOrder: false };
const cheap = { offerReferenceId: "12 months", offerPriceMinor: 2_990 };
const movedTo = (name: string, changes: Partial<PaidItem> = {}) =>
  item(name, { replacesItem: 1, ...changes });
const surplus = { reason: "more_plans_than_products", contractId: null, state: "attention" } as const;

/** A line of `quantity` items of which `currentQuantity` are left, alone or of the pair `pairId`. */
const line = (lineId: string, quantity: number, currentQuantity: number, pairId = lineId): ProductLine => ({
  lineId,
  pairId,
  quantity,
  currentQuantity,
});

const phones = (quantity: number, currentQuantity: number) => [line("phone", quantity, currentQuantity)];

const nameOf = ({ lineId, itemNumber }: PaidItem) => `${lineId} ${itemNumber}`;
function settle(items: PaidItem[], products: ProductLine[], left: Record<string, number> = {}) {
  const {
    taken,
    ended: ending,
    moved,
    returned,
  } = settleItems(items, products, new Map(Object.entries(left)));
  return {
    ...(taken.length > 0 ? { taken: taken.map(nameOf) } : {}),
    ...(ending.length > 0 ? { ended: ending.map(nameOf) } : {}),
    ...(moved.length > 0 ? { moved: moved.map((each) => `${nameOf(each.item)} to ${each.lineId}`) } : {}),
    ...(returned.length > 0
      ? { returned: returned.map((pair) => [pair.surplus, ...pair.items.map(nameOf)]) }
      : {}),
  };
}

it("takes an item whose contract was cancelled at the insurer before one that is insured", () => {
  const items = [item("plan 1", { state: "cancelled" }), item("plan 2")];
  expect(settle(items, phones(2, 2), { plan: 1 })).toEqual({ taken: ["plan 1"] });
  expect(settle(items, phones(2, 1), { plan: 1 })).toEqual({ taken: ["plan 1"] });
  expect(settle(items, phones(2, 1))).toEqual({ ended: ["plan 1"] });
});

const three = ["plan 1", "plan 2", "plan 3"].map((name) => item(name));
const twoPlans = [item("long 1"), item("short 1", cheap)];
const equalLines = [item("5"), item("6")];
const split = [item("plan 1 first"), item("plan 2 second")];
const splitPlans = [item("long 1 first"), item("short 1 second", cheap)];
const splitLines = (first: number, second: number, ofFirst = 1) => [
  line("first", ofFirst, first, "pair"),
  line("second", 1, second, "pair"),
];

describe("the items of an order that lose their item, or its product", () => {
  type Row = [
    what: string,
    PaidItem[],
    ProductLine[],
    ReturnType<typeof settle>,
    left?: Record<string, number>,
  ];
  const rows: Row[] = [
    ["none, while nothing left", three, phones(3, 3), {}, { plan: 3 }],
    ["none, while no more plans than products are in it", three, phones(9, 3), {}],
    [
      "go with their own line, the newest first",
      three,
      phones(3, 3),
      { taken: ["plan 3", "plan 2"] },
      { plan: 1 },
    ],
    [
      "all go where more left than there were",
      three,
      phones(3, 3),
      { taken: ["plan 3", "plan 2", "plan 1"] },
      { plan: 0 },
    ],
    [
      "are those without a contract first",
      [item("plan 1", { contractId: null }), item("plan 2")],
      phones(2, 1),
      { ended: ["plan 1"] },
    ],
    [
      "are first those that had ended",
      [item("plan 1", ended), item("plan 2"), item("plan 3")],
      phones(3, 2),
      { taken: ["plan 1"] },
      { plan: 2 },
    ],
    [
      "are not those that were refunded already",
      [item("plan 1"), item("plan 2", refunded)],
      phones(2, 1),
      {},
      { plan: 1 },
    ],
    [
      "are as many as products went back alone",
      three,
      phones(3, 1),
      { returned: [[2, "plan 3", "plan 2"]] },
      { plan: 3 },
    ],
    [
      "count once where product and plan went back together",
      three,
      phones(3, 2),
      { taken: ["plan 3"] },
      { plan: 2 },
    ],
    ["are all where no product is left", twoPlans, phones(2, 0), { returned: [[2, "short 1", "long 1"]] }],
    [
      "are not chosen between different plans of one line",
      twoPlans,
      phones(2, 1),
      { returned: [[1, "long 1", "short 1"]] },
    ],
    [
      "are clear once one of the different plans has ended",
      [item("long 1", ended), item("short 1", cheap)],
      phones(2, 1),
      {},
    ],
    ["are the newest of equal plans on several lines", equalLines, phones(2, 1), { returned: [[1, "6 1"]] }],
    [
      "are those of the product line that went back",
      splitPlans,
      splitLines(1, 0),
      { returned: [[1, "short 1"]] },
    ],
    [
      "are none where another line of the pair has an item to spare: the item goes on there",
      [item("plan 1 first")],
      splitLines(0, 1),
      { moved: ["plan 1 to second"] },
    ],
    [
      "are those whose product left, too, where one line's plans insure two",
      split,
      splitLines(0, 1),
      { taken: ["plan 1"] },
      { plan: 1 },
    ],
    [
      "are no plans of other products",
      [item("plan 1 phone"), item("plan 1 camera")],
      [line("phone", 1, 1), line("camera", 1, 0)],
      { returned: [[1, "plan 1"]] },
    ],
    [
      "are none whose insurance goes on without its product by the merchant's choice",
      [item("plan 1"), item("plan 2", { isKeptWithoutProduct: true })],
      phones(2, 1),
      {},
    ],
    [
      "are those whose refund was requested, before equal ones",
      [item("plan 1", { refundRequestedAt: new Date(0) }), item("plan 2", ended), item("plan 3")],
      phones(3, 3),
      { taken: ["plan 1"] },
      { plan: 2 },
    ],
    ["are none that insure no known line", [{ ...item("plan 1"), insuredLineId: null }], phones(1, 0), {}],
    [
      "are none of cover that moved to the item",
      [item("plan 1 gone", refunded), movedTo("plan 2001 phone")],
      [line("phone", 1, 1), line("gone", 1, 0)],
      {},
    ],
    [
      "are a plan that was added for an item that has moved cover",
      [movedTo("plan 2001 phone"), item("added 1", { contractId: null })],
      phones(1, 1),
      { ended: ["added 1"] },
    ],
    [
      "are none of a surplus that was sold: a task asks about it",
      [item("plan 1"), item("plan 2", surplus)],
      phones(1, 1),
      {},
    ],
    [
      "are none while a surplus waits for an answer and the other plans have their products",
      [item("plan 1"), item("plan 2", surplus)],
      phones(2, 1),
      {},
    ],
    [
      "are those of a surplus, too, where no product is left",
      [item("plan 1"), item("plan 2", surplus)],
      phones(1, 0),
      { ended: ["plan 2"], returned: [[1, "plan 1"]] },
    ],
  ];
  it.each(rows)("%s", (_, items, products, expected, left) => {
    expect(settle(items, products, left)).toEqual(expected);
  });

  it("leave no more plans than products once a person has decided; and deciding again changes nothing", () => {
    const orders = fc.record({
      lines: fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { minLength: 1, maxLength: 3 }),
      items: fc.array(fc.tuple(fc.nat(2), fc.boolean(), fc.boolean()), { maxLength: 6 }),
    });
    fc.assert(
      fc.property(orders, ({ lines, items }) => {
        const products = lines.map(([left, gone], index) => line(`${index}`, left + gone, left, "pair"));
        const sold = items.map(([on, isCheap, isPending], index) => ({
          ...item(`${index} 1 ${Math.min(on, lines.length - 1)}`, isCheap ? cheap : {}),
          ...(isPending ? { contractId: null, state: "pending" as const } : {}),
        }));
        const settled = settleItems(sold, products, new Map());
        const chosen = settled.returned.flatMap((pair) => pair.items.slice(0, pair.surplus));
        const ending = [...settled.ended, ...chosen];
        const after = sold.map((each) => ({
          ...each,
          ...(ending.includes(each) ? ended : {}),
          insuredLineId:
            settled.moved.find(({ item: moved }) => moved === each)?.lineId ?? each.insuredLineId,
        }));
        const itemCount = lines.reduce((sum, [left]) => sum + left, 0);
        const isReturned = lines.some(([, gone]) => gone > 0);
        expect(after.filter((each) => each.wanted)).toHaveLength(
          isReturned ? Math.min(sold.length, itemCount) : sold.length,
        );
        const { ended: endedAgain, returned } = settleItems(after, products, new Map());
        expect([...endedAgain, ...returned]).toEqual([]);
      }),
    );
  });
});

describe("Items of a report that find no item in a stored order", () => {
  const rows: [string, string[], PaidItem[], ProductLine[], Record<string, number>, string[]][] = [
    [
      "are those of a raised line whose pair has no item to spare",
      ["first 1 a", "first 2 b", "second 1 b"],
      [item("first 1 a"), item("second 1 b")],
      [line("a", 1, 1, "pair"), line("b", 1, 1, "pair")],
      {},
      ["first 2"],
    ],
    [
      "are none where the products were raised, too",
      ["plan 2"],
      [item("plan 1")],
      [line("phone", 2, 2)],
      {},
      [],
    ],
    [
      "are none where a plan left the order in the same report",
      ["new 1"],
      [item("plan 1")],
      [line("phone", 1, 1)],
      { plan: 0 },
      [],
    ],
    [
      "are those beyond the items that plans without an answer to their surplus leave",
      ["new 1", "new 2"],
      [item("plan 1"), item("plan 2", surplus)],
      [line("phone", 2, 2)],
      {},
      ["new 2"],
    ],
    ["are none of an order that has no item yet", ["plan 1"], [], [line("phone", 1, 1)], {}, []],
  ];
  it.each(rows)("%s", (_, names, stored, products, left, expected) => {
    const reported = names.map((name) => {
      const { lineId, itemNumber, insuredLineId } = item(name);
      return { lineId, itemNumber, insured: insuredLineId === null ? null : { lineId: insuredLineId } };
    });
    const found = findSurplus(reported, stored, products, new Map(Object.entries(left)));
    expect(found.map(({ lineId, itemNumber }) => `${lineId} ${itemNumber}`)).toEqual(expected);
  });
});
