import { describe, expect, it } from "vitest";
import { isLink, findReferenceProblems } from "#app/catalogue/references/reference.ts";
import { reference } from "#test/catalogue/samples.ts";

const facts = { currency: "EUR", hasDocuments: true };
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
      { referenceId: "b", bandMinMinor: 15_000, bandMaxMinor: 20_000 },
      { referenceId: "c", bandMinMinor: 15_001, bandMaxMinor: 20_000 },
      { referenceId: "other term", bandMinMinor: 0, bandMaxMinor: 15_000, termMonths: 24 },
      { referenceId: "monthly", bandMinMinor: 0, bandMaxMinor: 15_000, billing: "monthly" },
    );
    expect(found).toEqual({ b: "overlap a" });
  });

  it("are none where an offer for one product takes the place of the general one", () => {
    expect(
      problemsIn({ referenceId: "general" }, { referenceId: "own", productReferenceIds: ["9"] }),
    ).toEqual({});
  });

  it("keep a category without general conditions or IPID off sale", () => {
    const found = findReferenceProblems([reference({ referenceId: "a" })], {
      currency: "EUR",
      hasDocuments: false,
    });
    expect(found.get("a")?.problem).toBe("no_documents");
  });
});

describe("links", () => {
  it.each(["https://x.test/cg.pdf", "http://x.test/a?b=c"])("take %s", (address) => {
    expect(isLink(address)).toBe(true);
  });
  it.each([
    "",
    "javascript:alert(1)",
    "//x.test",
    "https://x.test/ a",
    'https://x.test/"onclick',
    "data:text/html,x",
  ])("refuse %s", (address) => {
    expect(isLink(address)).toBe(false);
  });
});
