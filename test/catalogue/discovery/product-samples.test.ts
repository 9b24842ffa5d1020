import { describe, expect, it } from "vitest";
import type { Offer } from "#app/insurance/offers.ts";
import {
  areOffersAt,
  areSameOffers,
  bandOf,
  distinctBands,
  isBand,
  pickVariant,
  referencesAt,
  sampleVariants,
} from "#app/catalogue/discovery/product-samples.ts";
import { phones, reference } from "#test/catalogue/samples.ts";

const variants = [100, 200, 200, 300, 400, 500].map((priceMinor, index) => ({
  variantId: String(index + 1),
  priceMinor,
}));
const ids = (found: readonly { variantId: string }[]) => found.map(({ variantId }) => variantId);

describe("a product to name in a band", () => {
  it("is another one in each discovery, and only one whose price the band holds, ends included", () => {
    const picked = [0, 1, 2, 3, 4].map((discoveryNumber) =>
      pickVariant(variants, { min: 200, max: 300 }, discoveryNumber),
    );
    expect(picked.map((each) => each?.variantId)).toEqual(["2", "3", "4", "2", "3"]);
  });

  it("is none where the shop has none at these prices", () => {
    for (const discoveryNumber of [0, 1, 5])
      expect(pickVariant(variants, { min: 201, max: 299 }, discoveryNumber)).toBeUndefined();
  });
});

describe("products to name in several bands", () => {
  const whole = [{ min: 0, max: 1_000 }];

  it("are spread over what the bands hold, ends included", () => {
    expect(ids(sampleVariants(variants, whole, 0, 2))).toEqual(["2", "5"]);
    expect(ids(sampleVariants(variants, whole, 0, 3))).toEqual(["2", "4", "6"]);
    expect(ids(sampleVariants(variants, whole, 0, 1))).toEqual(["4"]);
    expect(
      ids(
        sampleVariants(
          variants,
          [
            { min: 100, max: 100 },
            { min: 400, max: 500 },
          ],
          0,
          9,
        ),
      ),
    ).toEqual(["1", "5", "6"]);
  });

  it("are others in each discovery, and begin again at the end", () => {
    const discoveryNumbers = [0, 1, 2, 3, 4, 5, 6].map((discoveryNumber) =>
      ids(sampleVariants(variants, whole, discoveryNumber, 2)).join(" "),
    );
    expect(discoveryNumbers).toEqual(["2 5", "3 6", "4 1", "5 2", "6 3", "1 4", "2 5"]);
  });

  it("are each named once, and never more than there are or than were wanted", () => {
    expect(ids(sampleVariants(variants, whole, 0, 100)).sort()).toEqual(["1", "2", "3", "4", "5", "6"]);
    expect(sampleVariants(variants, whole, 3, 0)).toEqual([]);
    expect(sampleVariants(variants, [], 0, 5)).toEqual([]);
    expect(sampleVariants([], whole, 0, 5)).toEqual([]);
  });
});

describe("what is known of a price", () => {
  const [low, high] = [
    reference({ referenceId: "low", bandMinMinor: 100, bandMaxMinor: 199, priceMinor: 10 }),
    reference({ referenceId: "high", bandMinMinor: 200, bandMaxMinor: 299, priceMinor: 20 }),
  ];
  const offer = (referenceId: string, priceMinor: number): Offer => ({
    referenceId,
    contractId: null,
    termLength: "12 mois",
    termMonths: 12,
    priceMinor,
    currencyCode: "EUR",
    bandMinMinor: 100,
    bandMaxMinor: 199,
    billing: "annually",
    title: "12 mois",
    categoryId: phones.id,
    category: phones,
  });

  it("are the references whose band holds it, ends included", () => {
    const at = (price: number) => referencesAt([low, high], price).map(({ referenceId }) => referenceId);
    expect([99, 100, 199, 200, 299, 300].map(at)).toEqual([[], ["low"], ["low"], ["high"], ["high"], []]);
  });

  it("is what the insurer offers where number, references and prices agree, in any order", () => {
    expect(areSameOffers([low, high], [offer("high", 20), offer("low", 10)])).toBe(true);
    expect(areSameOffers([], [])).toBe(true);
    expect(areSameOffers([low, high], [offer("low", 10)])).toBe(false);
    expect(areSameOffers([low], [offer("low", 10), offer("low", 10)])).toBe(false);
    expect(areSameOffers([low], [offer("low", 11)])).toBe(false);
    expect(areSameOffers([low], [offer("other", 10)])).toBe(false);
    // One matching sample does not outweigh a differing one.
    expect(areSameOffers([low, high], [offer("low", 10), offer("high", 10)])).toBe(false);
  });

  it.each([
    [["low", "high"], true],
    [["low"], true],
    [["high"], true],
    [[], false],
    [["other"], false],
  ])("is both or either where two bands meet: %j", (found, expected) => {
    const bands = [
      { ...low, bandMinMinor: 0, bandMaxMinor: 300 },
      { ...high, bandMinMinor: 300, bandMaxMinor: 600 },
    ];
    const offers = found.map((id) => offer(id, id === "low" ? 10 : 20));
    expect(areOffersAt(bands, 300, offers)).toBe(expected);
    // At another end nothing meets.
    expect(areOffersAt(bands, 600, offers)).toBe(found.join() === "high");
  });
});

describe("bands", () => {
  it("are a reference's own, may hold one price, and are none where they end before they begin", () => {
    expect(bandOf(reference({ referenceId: "A", bandMinMinor: 5, bandMaxMinor: 9 }))).toEqual({
      min: 5,
      max: 9,
    });
    expect(
      [
        { min: 5, max: 6 },
        { min: 5, max: 5 },
        { min: 5, max: 4 },
      ].map(isBand),
    ).toEqual([true, true, false]);
  });

  it("are distinguished by both ends, and sorted by them", () => {
    const bands = [
      { min: 20, max: 29 },
      { min: 1, max: 19 },
      { min: 20, max: 25 },
      { min: 9, max: 8 },
      { min: 1, max: 19 },
      { min: 11, max: 9 },
      { min: 1, max: 11 },
    ];
    expect(distinctBands(bands)).toEqual([
      { min: 1, max: 11 },
      { min: 1, max: 19 },
      { min: 20, max: 25 },
      { min: 20, max: 29 },
    ]);
  });
});
