import { expect, it } from "vitest";
import { planExchange, type Replacement, type ItemWithoutProduct } from "#app/orders/book/exchanges.ts";

interface NamedItem extends ItemWithoutProduct {
  name: string;
}

/** The contract of a phone that left the order. */
const alone = (name: string, changes: Partial<ItemWithoutProduct> = {}): NamedItem => ({
  name,
  offerReferenceId: "24 months",
  offerPriceMinor: 4_990,
  insuredVariantId: "black",
  insuredPriceMinor: 22_900,
  ...changes,
});
const short = { offerReferenceId: "12 months", offerPriceMinor: 2_990 };

/** A phone of the same price band; `offers` by the sold reference. */
function added(lineId: string, changes: Partial<Replacement> = {}): Replacement {
  return {
    lineId,
    title: `Phone ${lineId}`,
    variantId: "blue",
    priceMinor: 22_900,
    currency: "EUR",
    free: 1,
    offers: [
      { soldReferenceId: "24 months", fitting: [{ referenceId: "24 months", priceMinor: 4_990 }] },
      { soldReferenceId: "12 months", fitting: [{ referenceId: "12 months", priceMinor: 2_990 }] },
    ],
    ...changes,
  };
}
const dearer = {
  variantId: "pro",
  priceMinor: 74_900,
  offers: [{ soldReferenceId: "24 months", fitting: [{ referenceId: "24 months, 700", priceMinor: 9_990 }] }],
};
const unsold = { variantId: "pliable", offers: [{ soldReferenceId: "24 months", fitting: [] }] };
const otherKind = { variantId: "case", offers: [] };
const same = { variantId: "black" };

type Row = [
  what: string,
  items: NamedItem[],
  replacements: Replacement[],
  moved: string[],
  stays?: string[],
  undecided?: NamedItem[],
];
const [a, b] = [alone("a"), alone("b", short)];
const rows: Row[] = [
  ["goes on with it", [a], [added("r")], ["a to r by 24 months"]],
  ["keeps its contract for the same product", [a], [added("r", same)], ["a to r"]],
  ["stays where there is none", [a], [], []],
  ["stays where the replacement is insured", [a], [added("r", { free: 0 })], []],
  ["stays where its premium differs", [a], [added("r", dearer)], [], ["a: other_premium Phone r 9990"]],
  ["stays where no offer is for its price", [a], [added("r", unsold)], [], ["a: no_offer Phone r"]],
  ["stays where it is of another kind", [a], [added("r", otherKind)], [], ["a: other_kind Phone r"]],
  [
    "stays where it is no product of the shop",
    [a],
    [added("r", { variantId: null })],
    [],
    ["a: no_offer Phone r"],
  ],
  [
    "goes on with the one that fits, whatever else was added",
    [a],
    [added("case", otherKind), added("r")],
    ["a to r by 24 months"],
  ],
  ["goes on with one of equal items", [a], [added("r", { free: 3 })], ["a to r by 24 months"]],
  [
    "stays where one of two different items may replace it",
    [a],
    [added("r"), added("s", { variantId: "green" })],
    [],
    ["a: unclear Phone r"],
  ],
  ["goes on, one of equal ones with one item", [a, alone("b")], [added("r")], ["a to r by 24 months"]],
  [
    "stays where one of two different ones may go on",
    [a, b],
    [added("r")],
    [],
    ["a: unclear Phone r", "b: unclear Phone r"],
  ],
  [
    "goes on, two different ones with two equal items",
    [a, b],
    [added("r", { free: 2 })],
    ["a to r by 24 months", "b to r by 12 months"],
  ],
  [
    "stays while it is not clear whose product another item lost",
    [a],
    [added("r")],
    [],
    ["a: unclear Phone r", "b: unclear Phone r", "c: unclear Phone r"],
    [alone("b"), alone("c", short)],
  ],
];

it.each(rows)(
  "the cover of a product that left %s",
  (_, items, replacements, moved, stays = [], undecided = []) => {
    const { moves, obstacles } = planExchange({ alone: items, undecided }, replacements);
    expect(
      moves.map(({ item, line, offer }) =>
        offer === null
          ? `${item.name} to ${line.lineId}`
          : `${item.name} to ${line.lineId} by ${offer.referenceId}`,
      ),
    ).toEqual(moved);
    expect(
      [...obstacles].map(([item, { why, title, premiumMinor }]) =>
        [`${item.name}: ${why}`, title, ...(premiumMinor === null ? [] : [premiumMinor])].join(" "),
      ),
    ).toEqual(stays);
  },
);

it("goes on at another premium where the merchant has decided so", () => {
  const item = alone("a");
  const { moves } = planExchange({ alone: [item], undecided: [] }, [added("r", dearer)], () => true);
  expect(moves).toMatchObject([{ item, offer: { referenceId: "24 months, 700", priceMinor: 9_990 } }]);
});
