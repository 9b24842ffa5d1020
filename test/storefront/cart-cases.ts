/** The table of docs/storefront.md, for every implementation of the cart's rules: storefront, server and checkout. */
import type { Line } from "../../extensions/storefront-scripts/cart-rules.ts";

export const phone = (quantity: number, more: Partial<Line> = {}): Line => ({
  key: "phone",
  variant: "11",
  quantity,
  price: 59_900,
  properties: { _parasol_pair: "11" },
  ...more,
});
export const plan = (key: string, quantity: number, price: number, more: Partial<Line> = {}): Line => ({
  key,
  variant: more.variant ?? `9${key}`,
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
  ...(more.isLocked === undefined ? {} : { isLocked: more.isLocked }),
  ...("parent" in more ? { parent: more.parent } : {}),
});
const at = (time: string) => ({ properties: { _parasol_consent: `1 2026-11-21T${time}:00.000Z` } });
export const camera = (quantity: number): Line => ({
  key: "camera",
  variant: "22",
  quantity,
  price: 45_000,
  properties: { _parasol_pair: "22" },
});
export const cameraPlan = (quantity: number): Line =>
  plan("c", quantity, 3_000, {
    parent: "camera",
    properties: { _parasol_pair: "22", _parasol_variant: "22" },
  });

/** Changes by line, and by the plan for the uninsured items: only the shopper may add those. */
export const cases: [
  name: string,
  lines: Line[],
  changes: Record<string, number>,
  missing?: Record<string, number>,
][] = [
  ["as many plans as products: nothing changes", [phone(2), plan("a", 2, 3_200)], {}],
  [
    "more products: no plan is raised, the missing cover is offered",
    [phone(3), plan("a", 1, 3_200)],
    {},
    { a: 2 },
  ],
  ["fewer products: the plan follows", [phone(1), plan("a", 3, 3_200)], { a: 1 }],
  [
    "more products, two terms: the one chosen last is offered, though it is not the dearest",
    [phone(4), plan("a", 1, 3_200, at("10:09")), plan("b", 1, 6_400, at("10:05"))],
    {},
    { a: 2 },
  ],
  [
    "more products, two terms chosen at one time: the dearer is offered",
    [phone(4), plan("a", 1, 3_200), plan("b", 1, 6_400)],
    {},
    { b: 2 },
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
    "fewer products, the same price: the older one is cut",
    [
      phone(2),
      plan("c", 1, 6_400, at("10:09")),
      plan("b", 1, 3_200, at("10:05")),
      plan("a", 1, 3_200, at("10:01")),
    ],
    { a: 0 },
  ],
  [
    "fewer products, a plan without the time of its choice is cut before the others",
    [phone(1), plan("a", 1, 3_200, { properties: { _parasol_consent: "1" } }), plan("b", 1, 3_200)],
    { a: 0 },
  ],
  [
    "fewer products than one term: the cut goes on with the next",
    [phone(1), plan("a", 2, 3_200, at("10:01")), plan("b", 2, 6_400, at("10:02"))],
    { a: 0, b: 1 },
  ],
  ["a plan without its product goes", [camera(1), plan("a", 1, 3_200)], { a: 0 }],
  [
    "two plans without their products go, each by itself",
    [
      plan("a", 1, 3_200, { parent: undefined }),
      plan("b", 2, 3_200, { parent: undefined, properties: { _parasol_pair: "33" } }),
    ],
    { a: 0, b: 0 },
  ],
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
    {},
    { b: 2 },
  ],
  [
    "a product split over two lines of one pair counts as a whole",
    [phone(1), phone(2, { key: "split" }), plan("a", 1, 3_200)],
    {},
    { a: 2 },
  ],
  ["a gift's plan is left alone", [phone(2, { isLocked: true }), plan("a", 1, 3_200)], {}],
  [
    "a draft order's lines are left alone",
    [phone(1, { isLocked: true }), plan("a", 3, 3_200, { isLocked: true })],
    {},
  ],
  [
    "a plan without a pair is not touched",
    [{ key: "loose", variant: "9a", quantity: 4, price: 3_200, properties: {} }],
    {},
  ],
  [
    "the pair was lost on the product: nesting pairs them",
    [phone(2, { properties: {} }), plan("a", 1, 3_200)],
    {},
    { a: 1 },
  ],
  [
    "the pair was lost on the product, and there are fewer of it: nesting pairs them",
    [phone(1, { properties: {} }), plan("a", 2, 3_200)],
    { a: 1 },
  ],
  [
    "an uninsured line of the same product is missing nothing",
    [phone(1), plan("a", 1, 3_200), phone(5, { key: "bare", properties: {} })],
    {},
  ],
];
