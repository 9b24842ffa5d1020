import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { balance, type Line, plansOf, rechoose } from "../../extensions/storefront-scripts/cart-rules.ts";
import { type Band, offersFor, pairOf } from "../../extensions/storefront-scripts/offers.ts";

const phone = (quantity: number, more: Partial<Line> = {}): Line => ({
  key: "phone",
  variant: "11",
  quantity,
  price: 59_900,
  properties: { _parasol_pair: "11" },
  ...more,
});
const plan = (key: string, quantity: number, price: number, more: Partial<Line> = {}): Line => ({
  key,
  variant: `9${key}`,
  quantity,
  price,
  parent: "phone",
  properties: {
    _parasol_pair: "11",
    _parasol_variant: "11",
    _parasol_reference: `REF-${key}`,
    _parasol_consent: "1 2026-11-21T10:00:00.000Z",
    ...more.properties,
  },
  ...(more.untouchable === undefined ? {} : { untouchable: more.untouchable }),
  ...("parent" in more ? { parent: more.parent } : {}),
});
const at = (time: string) => ({ properties: { _parasol_consent: `1 2026-11-21T${time}:00.000Z` } });
const camera = (quantity: number): Line => ({
  key: "camera",
  variant: "22",
  quantity,
  price: 45_000,
  properties: { _parasol_pair: "22" },
});
const cameraPlan = (quantity: number): Line =>
  plan("c", quantity, 3_000, {
    parent: "camera",
    properties: { _parasol_pair: "22", _parasol_variant: "22" },
  });

/** The table of docs/storefront.md. */
const cases: [name: string, lines: Line[], changes: Record<string, number>][] = [
  ["as many plans as products: nothing changes", [phone(2), plan("a", 2, 3_200)], {}],
  ["more products: the plan follows", [phone(3), plan("a", 1, 3_200)], { a: 3 }],
  ["fewer products: the plan follows", [phone(1), plan("a", 3, 3_200)], { a: 1 }],
  [
    "more products, two terms: the dearest is raised",
    [phone(4), plan("a", 1, 3_200), plan("b", 1, 6_400)],
    { b: 3 },
  ],
  [
    "fewer products, two terms: the cheapest is cut",
    [phone(2), plan("a", 1, 3_200, at("10:05")), plan("b", 2, 6_400, at("10:09"))],
    { a: 0 },
  ],
  [
    "fewer products, the cheapest was just chosen: it is cut last",
    [phone(1), plan("a", 1, 3_200, at("10:09")), plan("b", 1, 6_400, at("10:05"))],
    { b: 0 },
  ],
  [
    "fewer products than one term: the cut goes on with the next",
    [phone(1), plan("a", 2, 3_200, at("10:01")), plan("b", 2, 6_400, at("10:02"))],
    { a: 0, b: 1 },
  ],
  ["a plan without its product goes", [camera(1), plan("a", 1, 3_200)], { a: 0 }],
  ["another product's plan stays", [phone(1), plan("a", 2, 3_200), camera(2), cameraPlan(2)], { a: 1 }],
  [
    "the same plan added again adds up with its product",
    [phone(2), plan("a", 1, 3_200), plan("a2", 1, 3_200)],
    {},
  ],
  [
    "the same variant on two lines stays two pairs",
    [
      phone(1),
      plan("a", 1, 3_200),
      phone(3, { key: "engraved", properties: { Gravure: "Léa", _parasol_pair: "11-x" } }),
      plan("b", 1, 6_400, { parent: "engraved", properties: { _parasol_pair: "11-x" } }),
    ],
    { b: 3 },
  ],
  [
    "a product split over two lines of one pair counts as a whole",
    [phone(1), phone(2, { key: "split" }), plan("a", 1, 3_200)],
    { a: 3 },
  ],
  ["a gift's plan is left alone", [phone(2, { untouchable: true }), plan("a", 1, 3_200)], {}],
  [
    "a draft order's lines are left alone",
    [phone(1, { untouchable: true }), plan("a", 3, 3_200, { untouchable: true })],
    {},
  ],
  [
    "a lead's plan is not touched",
    [phone(1), plan("a", 2, 3_200, { properties: { _parasol_lead: "L-1" } })],
    {},
  ],
  [
    "a plan that nobody tied is not touched",
    [{ key: "loose", variant: "9a", quantity: 4, price: 3_200, properties: {} }],
    {},
  ],
  [
    "the pair was lost on the product: nesting ties them",
    [phone(2, { properties: {} }), plan("a", 1, 3_200)],
    { a: 2 },
  ],
  [
    "an uninsured line of the same product raises nothing",
    [phone(1), plan("a", 1, 3_200), phone(5, { key: "bare", properties: {} })],
    {},
  ],
];

describe("balancing a cart", () => {
  test.each(cases)("%s", (_name, lines, changes) => {
    expect(Object.fromEntries(balance(lines).map(({ key, quantity }) => [key, quantity]))).toEqual(changes);
  });

  it("ends, whatever the cart, with as many plans as products, and then changes nothing more", () => {
    const quantity = fc.integer({ min: 1, max: 9 });
    const carts = fc.record({
      phones: fc.option(quantity),
      plans: fc.array(fc.tuple(quantity, fc.integer({ min: 1, max: 9_999 })), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(carts, ({ phones, plans }) => {
        const lines = [
          ...(phones === null ? [] : [phone(phones)]),
          ...plans.map(([count, price], index) => plan(`p${index}`, count, price)),
        ];
        const after = new Map(balance(lines).map(({ key, quantity: to }) => [key, to]));
        const settled = lines
          .map((line) => ({ ...line, quantity: after.get(line.key) ?? line.quantity }))
          .filter((line) => line.quantity > 0);
        const insured = settled
          .filter((line) => line.key !== "phone")
          .reduce((sum, line) => sum + line.quantity, 0);
        expect(insured).toBe(plans.length === 0 ? 0 : (phones ?? 0));
        expect(balance(settled)).toEqual([]);
      }),
    );
  });
});

const bands: Band[] = [
  [
    20_000,
    59_999,
    [
      [12, 3_200, "annually", "101", "LOW-12"],
      [24, 6_400, "annually", "102", "LOW-24"],
    ],
  ],
  [60_000, 99_999, [[12, 4_800, "annually", "103", "HIGH-12"]]],
];
const known = (variant: string) => (variant === "11" ? bands : undefined);

describe("choosing a plan again", () => {
  it("keeps a plan that fits the product's price", () => {
    expect(
      rechoose([phone(1), plan("a", 1, 3_200, { properties: { _parasol_reference: "LOW-12" } })], known),
    ).toEqual([]);
  });

  it("takes the same term of the band that the price is in now", () => {
    const dearer = phone(2, { price: 69_900 });
    expect(
      rechoose([dearer, plan("a", 2, 3_200, { properties: { _parasol_reference: "LOW-12" } })], known),
    ).toEqual([{ key: "a", product: dearer, quantity: 2, offer: bands[1]?.[2][0] }]);
  });

  it("takes the plan away where the new band has no such term, or no band fits", () => {
    const swaps = (price: number) =>
      rechoose(
        [phone(1, { price }), plan("a", 1, 6_400, { properties: { _parasol_reference: "LOW-24" } })],
        known,
      );
    expect(swaps(69_900).map(({ offer }) => offer)).toEqual([null]);
    expect(swaps(199_900).map(({ offer }) => offer)).toEqual([null]);
  });

  it("looks again when the line has become another variant", () => {
    const line = plan("a", 1, 3_200, {
      properties: { _parasol_reference: "LOW-12", _parasol_variant: "12" },
    });
    expect(rechoose([phone(1), line], known)).toHaveLength(1);
  });

  it("concludes nothing where the catalogue is not known, nor about gifts", () => {
    const line = plan("a", 1, 3_200);
    expect(rechoose([phone(1), line], () => undefined)).toEqual([]);
    expect(rechoose([phone(1, { untouchable: true }), line], known)).toEqual([]);
  });
});

describe("tying product and plan", () => {
  it("gives equal lines the same pair and lines with other properties another", () => {
    expect(pairOf("11", {})).toBe("11");
    expect(pairOf("11", { _parasol_offered: "product_page" })).toBe("11");
    expect(pairOf("11", { Gravure: "Léa" })).toBe(pairOf("11", { Gravure: "Léa", _parasol_offered: "cart" }));
    expect(pairOf("11", { Gravure: "Léa" })).not.toBe(pairOf("11", { Gravure: "Leo" }));
    expect(pairOf("11", { a: "1", b: "2" })).toBe(pairOf("11", { b: "2", a: "1" }));
  });

  it("finds the plans of a product and of no other", () => {
    const lines = [phone(1), plan("a", 1, 3_200), camera(1), cameraPlan(1)];
    expect(lines.slice(0, 3).map((line) => plansOf(line, lines).map(({ key }) => key))).toEqual([
      ["a"],
      [],
      ["c"],
    ]);
  });
});

it("offers the band of the price, both ends inclusive, in the merchant's order of terms", () => {
  const terms = (price: number, order?: number[]) => offersFor(bands, price, order).map(([term]) => term);
  expect([terms(19_999), terms(20_000), terms(59_999), terms(60_000)]).toEqual([
    [],
    [12, 24],
    [12, 24],
    [12],
  ]);
  expect(terms(20_000, [24])).toEqual([24, 12]);
});
