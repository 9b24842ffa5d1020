import { describe, expect, it } from "vitest";
import { referenceFromOffer } from "#app/catalogue/references/reference.ts";
import { findReferenceProblems } from "#app/catalogue/references/reference-problems.ts";
import { isLink, isPage } from "#app/platform/web-address.ts";
import { MAX_STORED_MINOR } from "#app/platform/money.ts";
import { phones, reference } from "#test/catalogue/samples.ts";

const facts = { currency: "EUR", rule: {}, hasDocuments: true };
const problemsIn = (...given: Parameters<typeof reference>[0][]) =>
  Object.fromEntries(
    [...findReferenceProblems(given.map(reference), facts)].map(([id, { problem, detail }]) => [
      id,
      `${problem} ${detail}`.trim(),
    ]),
  );

describe("problems of references", () => {
  it("are found one by one, and the other references are sold", () => {
    const found = problemsIn(
      { referenceId: "good" },
      { referenceId: "free", priceMinor: 0, termMonths: 24 },
      { referenceId: "dollars", currency: "USD", termMonths: 24 },
      { referenceId: "inverted", bandMinMinor: 20_000, bandMaxMinor: 19_999, termMonths: 24 },
    );
    expect(found).toEqual({
      free: "price_zero",
      dollars: "currency USD",
      inverted: "band_inverted 20000 > 19999",
    });
  });

  it("keep the lower of two overlapping bands of one term on sale", () => {
    const found = problemsIn(
      { referenceId: "a", bandMinMinor: 0, bandMaxMinor: 15_000 },
      { referenceId: "b", bandMinMinor: 14_999, bandMaxMinor: 20_000 },
      { referenceId: "c", bandMinMinor: 15_001, bandMaxMinor: 20_000 },
      { referenceId: "other term", bandMinMinor: 0, bandMaxMinor: 15_000, termMonths: 24 },
      { referenceId: "monthly", bandMinMinor: 0, bandMaxMinor: 15_000, billing: "monthly" },
    );
    expect(found).toEqual({ b: "overlap a" });
  });

  it("are none where a band begins at the price at which the one before it ends", () => {
    const found = problemsIn(
      { referenceId: "a", bandMinMinor: 0, bandMaxMinor: 10_000 },
      { referenceId: "b", bandMinMinor: 10_000, bandMaxMinor: 20_000 },
      { referenceId: "c", bandMinMinor: 20_000, bandMaxMinor: 20_000 },
      { referenceId: "d", bandMinMinor: 20_000, bandMaxMinor: 30_000 },
    );
    // The price band of c is inside that of b.
    expect(found).toEqual({ c: "overlap b" });
  });

  it("are none where an offer for one product takes the place of the general one", () => {
    expect(
      problemsIn({ referenceId: "general" }, { referenceId: "own", productReferenceIds: ["9"] }),
    ).toEqual({});
  });

  it.each(["XPF", "KWD"])("keep off sale what is in %s, a currency without cents", (currency) => {
    const found = findReferenceProblems([reference({ referenceId: "a", currency })], { ...facts, currency });
    expect([...found.values()]).toEqual([{ problem: "no_cents", detail: currency }]);
  });

  it("keep a category without general conditions or IPID off sale", () => {
    const found = findReferenceProblems([reference({ referenceId: "a" })], {
      ...facts,
      hasDocuments: false,
    });
    expect(found.get("a")?.problem).toBe("no_documents");
  });
});

describe("of one reference the first problem", () => {
  it.each([
    [{ priceMinor: MAX_STORED_MINOR }, "amount_too_large"],
    [{ priceMinor: MAX_STORED_MINOR - 1 }, undefined],
    [{ bandMinMinor: 10_000, bandMaxMinor: 10_000 }, undefined],
    [{ bandMinMinor: 10_001, bandMaxMinor: 10_000 }, "band_inverted 10001 > 10000"],
    [{ priceMinor: 0, currency: "USD" }, "price_zero"],
  ])("of %j is %s", (given, expected) => {
    expect(problemsIn({ referenceId: "a", ...given })["a"]).toBe(expected);
  });

  it("of an overlap is found in whatever order they come: the one with the lower band, then end, then id, stays", () => {
    const given = [
      { referenceId: "d", bandMinMinor: 0, bandMaxMinor: 9 },
      { referenceId: "b", bandMinMinor: 5, bandMaxMinor: 30 },
      { referenceId: "a", bandMinMinor: 0, bandMaxMinor: 20 },
      { referenceId: "c", bandMinMinor: 0, bandMaxMinor: 9 },
    ];
    const expected = { a: "overlap c", b: "overlap c", d: "overlap c" };
    expect(problemsIn(...given)).toEqual(expected);
    expect(problemsIn(...given.toReversed())).toEqual(expected);
  });
});

describe("an offer of the insurer", () => {
  const offer = {
    referenceId: "A",
    contractId: null,
    categoryId: phones.id,
    category: phones,
    termLength: "1 an",
    termMonths: 12,
    priceMinor: 4_990,
    currencyCode: "EUR",
    bandMinMinor: -1,
    bandMaxMinor: 3_000_000_000,
    billing: "monthly" as const,
    title: "T",
  };

  it("is a reference whose amounts fit the database", () => {
    expect(referenceFromOffer(offer)).toEqual({
      referenceId: "A",
      contractId: null,
      categoryId: phones.id,
      termMonths: 12,
      termLength: "1 an",
      priceMinor: 4_990,
      currency: "EUR",
      bandMinMinor: 0,
      bandMaxMinor: MAX_STORED_MINOR,
      billing: "monthly",
      title: "T",
      productReferenceIds: [],
    });
    const dear = { ...offer, priceMinor: 3_000_000_000, bandMinMinor: 3_000_000_000, bandMaxMinor: -5 };
    expect(referenceFromOffer(dear, ["7"])).toMatchObject({
      priceMinor: MAX_STORED_MINOR,
      bandMinMinor: MAX_STORED_MINOR,
      bandMaxMinor: 0,
      productReferenceIds: ["7"],
    });
  });
});

it("a customer may be led to a page without https, but is shown no link to it", () => {
  expect(isPage("http://x.test/subscribe/1")).toBe(true);
  expect(isLink("http://x.test/subscribe/1")).toBe(false);
  expect(isPage("javascript:alert(1)")).toBe(false);
});

describe("links", () => {
  it.each(["https://x.test/cg.pdf", "https://x.test/a?b=c"])("take %s", (address) => {
    expect(isLink(address)).toBe(true);
  });
  it.each([
    "",
    "javascript:alert(1)",
    "//x.test",
    "https://x.test/ a",
    'https://x.test/"onclick',
    "data:text/html,x",
    "xhttps://x.test",
    "https://",
    "https://x.test/'",
    "https://x.test/<b>",
    "https://:x",
  ])("refuse %s", (address) => {
    expect(isLink(address)).toBe(false);
  });
});
