import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cutPlans,
  findCorrections,
  findGaps,
  findMisfits,
  plansOf,
  uninsuredItems,
} from "../../extensions/storefront-scripts/cart-rules.ts";
import { type Band, type Offer, offersFor } from "../../extensions/catalogue.ts";
import { pairOf } from "../../extensions/storefront-scripts/plan-item.ts";
import { camera, cameraPlan, phone, plan } from "./cart-cases.ts";

describe("a cart's quantities", () => {
  it("change each line once, however many plans a product has", () => {
    const lines = [phone(1), plan("cheap", 2, 100), plan("dear", 1, 200)];
    expect(cutPlans(lines)).toHaveLength(1);
    expect(findGaps([phone(9), ...lines.slice(1)])).toHaveLength(1);
  });

  it("never raise a plan, never leave more plans than products, and what is missing is exactly what is offered", () => {
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
        const after = new Map(cutPlans(lines).map(({ key, quantity: to }) => [key, to]));
        const settled = lines
          .map((line) => ({ ...line, quantity: after.get(line.key) ?? line.quantity }))
          .filter((line) => line.quantity > 0);
        for (const line of lines) expect(after.get(line.key) ?? 0).toBeLessThanOrEqual(line.quantity);
        const insured = settled
          .filter((line) => line.key !== "phone")
          .reduce((sum, line) => sum + line.quantity, 0);
        const [gap] = findGaps(settled);
        expect(insured + (gap?.quantity ?? 0)).toBe(plans.length === 0 ? 0 : (phones ?? 0));
        expect(cutPlans(settled)).toEqual([]);
      }),
    );
  });
});

const offer = (term: number, price: number, variant: string, reference: string): Offer => {
  return { term, price, billing: "annually", variant, reference };
};
const bands: Band[] = [
  {
    min: 20_000,
    max: 59_999,
    offers: [offer(12, 3_200, "101", "LOW-12"), offer(24, 6_400, "102", "LOW-24")],
  },
  { min: 60_000, max: 99_999, offers: [offer(12, 4_800, "103", "HIGH-12")] },
];
const known = (variant: string) => (variant === "11" ? bands : undefined);

describe("choosing a plan again", () => {
  it("keeps a plan that fits the product's price", () => {
    expect(findMisfits([phone(1), plan("a", 1, 3_200, { variant: "101" })], known)).toEqual([]);
  });

  it("names the same term of the band that the price is in now", () => {
    const dearer = phone(2, { price: 69_900 });
    expect(findMisfits([dearer, plan("a", 2, 3_200, { variant: "101" })], known)).toEqual([
      { key: "a", product: dearer, offer: bands[1]?.offers[0] },
    ]);
  });

  it("names the same formula of the new band, and not a cheaper one of its term", () => {
    const bandOf = (min: number, name: string): Band => ({
      min,
      max: min + 19_999,
      offers: ["Casse", "Casse et vol"].map((formula, at) => ({
        ...offer(12, min + at, `${name}${at}`, `${name}-${at}`),
        formula,
      })),
    });
    const formulas = [bandOf(40_000, "LOW"), bandOf(60_000, "HIGH")];
    const theft = plan("a", 1, 40_001, { variant: "LOW1" });
    const [misfit] = findMisfits([phone(1, { price: 69_900 }), theft], () => formulas);
    expect(misfit?.offer?.reference).toBe("HIGH-1");
  });

  it("names no plan by the month in place of one that is paid once", () => {
    const bandOf = (min: number, name: string): Band => ({
      min,
      max: min + 19_999,
      offers: [
        { ...offer(12, 400, `${name}M`, `${name}-M`), billing: "monthly" },
        offer(12, 4_800, `${name}A`, `${name}-A`),
      ],
    });
    const [low, high] = [bandOf(40_000, "LOW"), bandOf(60_000, "HIGH")];
    const paidOnce = plan("a", 1, 4_800, { variant: "LOWA" });
    const dearer = phone(1, { price: 69_900 });
    expect(findMisfits([dearer, paidOnce], () => [low, high])[0]?.offer?.reference).toBe("HIGH-A");
    const alone: Band[] = [low, { min: 60_000, max: 79_999, offers: high.offers.slice(0, 1) }];
    expect(findMisfits([dearer, paidOnce], () => alone)[0]?.offer).toBe(null);
  });

  it("names none where the new band has no such term, or no band fits", () => {
    const swaps = (price: number) =>
      findMisfits([phone(1, { price }), plan("a", 1, 6_400, { variant: "102" })], known);
    expect(swaps(69_900).map(({ offer }) => offer)).toEqual([null]);
    expect(swaps(199_900).map(({ offer }) => offer)).toEqual([null]);
  });

  it("removes a plan that the shop charges for otherwise, and proposes none: its price would be the same again", () => {
    const charged = (price: number) =>
      findMisfits([phone(1), plan("a", 1, price, { variant: "101" })], known);
    expect(charged(3_200)).toEqual([]);
    for (const price of [3_360, 3_199])
      expect(charged(price)).toEqual([{ key: "a", product: phone(1), offer: null }]);
  });

  it("looks again when the line has become another variant", () => {
    const line = plan("a", 1, 3_200, { variant: "101", properties: { _parasol_variant: "12" } });
    expect(findMisfits([phone(1), line], known)).toHaveLength(1);
  });

  it("knows a plan by its variant, and what it insures by its place, where an agent has left it no properties", () => {
    const bare = { _parasol_reference: "?", _parasol_pair: "?" };
    const nested = { ...plan("a", 1, 3_200, { variant: "101" }), properties: bare };
    const dearer = phone(1, { price: 69_900 });
    expect(findMisfits([phone(1), nested], known)).toEqual([]);
    expect(findMisfits([dearer, nested], known)).toEqual([
      { key: "a", product: dearer, offer: bands[1]?.offers[0] },
    ]);
  });

  it("concludes nothing where the catalogue is not known, nor about gifts", () => {
    const line = plan("a", 1, 3_200);
    expect(findMisfits([phone(1), line], () => undefined)).toEqual([]);
    expect(findMisfits([phone(1, { isLocked: true }), line], known)).toEqual([]);
  });
});

describe("the missing cover", () => {
  it("is of the line that the plan is nested under", () => {
    const split = phone(1, { key: "split" });
    const insured = plan("a", 1, 3_200);
    expect(findGaps([split, phone(2), insured])).toEqual([{ plan: insured, product: phone(2), quantity: 2 }]);
  });

  it("is of the product's first line where the plan is nested under none of them", () => {
    const product = phone(2);
    const lines = [camera(1), product, plan("a", 1, 3_200, { parent: undefined })];
    expect(findGaps(lines).map((gap) => gap.product)).toEqual([product]);
    expect(uninsuredItems(product, lines)).toBe(1);
  });

  it("counts the items of all lines of a pair, and of an uninsured line its own", () => {
    const bare = phone(5, { key: "bare", properties: {} });
    const lines = [phone(1), phone(3, { key: "split" }), plan("a", 1, 3_200), plan("b", 1, 3_200), bare];
    const [one, , , , other] = lines;
    expect([one, other].map((line) => line && uninsuredItems(line, lines))).toEqual([2, 5]);
  });
});

describe("correcting a cart", () => {
  it("removes two plans that do not fit at once, each once, and keeps what fits", () => {
    const misfit = (key: string) => plan(key, 1, 3_200, { variant: "101" });
    const fits = plan("c", 1, 4_800, { variant: "103" });
    const { changes, misfits } = findCorrections(
      [phone(1, { price: 69_900 }), misfit("a"), misfit("b"), fits],
      known,
    );
    expect(misfits.map(({ key }) => key)).toEqual(["a", "b"]);
    expect(changes).toEqual([
      { key: "a", quantity: 0 },
      { key: "b", quantity: 0 },
    ]);
  });

  it("offers nothing for a plan that goes, and counts the others of its product without it", () => {
    const goes = plan("a", 1, 3_200, {
      variant: "101",
      properties: { _parasol_consent: "1 2026-11-21T11:00:00.000Z" },
    });
    const stays = plan("b", 1, 4_800, { variant: "103" });
    const dearer = phone(3, { price: 69_900 });
    const { changes, gaps } = findCorrections([dearer, goes, stays], known);
    expect(changes).toEqual([{ key: "a", quantity: 0 }]);
    expect(gaps).toEqual([{ plan: stays, product: dearer, quantity: 2 }]);
    expect(findCorrections([dearer, goes], known).gaps).toEqual([]);
  });

  it("removes what no longer fits, once, and cuts the rest", () => {
    const misfit = plan("a", 1, 3_200, { variant: "101" });
    const dearer = phone(2, { price: 69_900 });
    const lines = [dearer, misfit, camera(1), cameraPlan(2)];
    expect(findCorrections(lines, known)).toEqual({
      misfits: [{ key: "a", product: dearer, offer: bands[1]?.offers[0] }],
      changes: [
        { key: "c", quantity: 1 },
        { key: "a", quantity: 0 },
      ],
      gaps: [],
    });
  });
});

describe("tying product and plan", () => {
  it("gives equal lines the same pair and lines with other properties another", () => {
    expect(pairOf("11", {})).toBe("11");
    expect(pairOf("11", { _parasol_pair: "11" })).toBe("11");
    expect(pairOf("11", { Gravure: "Léa" })).toBe(pairOf("11", { Gravure: "Léa", _parasol_pair: "x" }));
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
  const terms = (price: number, order?: number[]) => offersFor(bands, price, order).map(({ term }) => term);
  expect([terms(19_999), terms(20_000), terms(59_999), terms(60_000)]).toEqual([
    [],
    [12, 24],
    [12, 24],
    [12],
  ]);
  expect(terms(20_000, [24])).toEqual([24, 12]);
});
