import { describe, expect, it } from "vitest";
import { formulaNames, namesInUniverse } from "#app/catalogue/references/formula.ts";
import { findReferenceProblems } from "#app/catalogue/references/reference-problems.ts";
import { reference } from "#test/catalogue/samples.ts";

const TERMS = [12, 24];
const BANDS = [10_000, 20_000];

/** Two terms and two bands of each of these. */
function catalogue(
  ...formulas: { contract?: (term: number, band: number) => string; title: (term: number) => string }[]
) {
  return formulas.flatMap(({ contract, title }, at) =>
    TERMS.flatMap((termMonths) =>
      BANDS.map((bandMinMinor) =>
        reference({
          referenceId: `${at} ${termMonths} ${bandMinMinor}`,
          contractId: contract?.(termMonths, bandMinMinor) ?? null,
          termMonths,
          termLength: `${termMonths} mois`,
          title: title(termMonths),
          bandMinMinor,
          bandMaxMinor: bandMinMinor + 9_999,
        }),
      ),
    ),
  );
}

const breakage = (term: number) => `Assurance casse, ${term} mois`;
const theft = (term: number) => `Assurance casse et vol, ${term} mois`;

describe("the formulas of a category are distinguished", () => {
  it.each([
    [
      "by their contracts",
      [
        { contract: () => "A", title: breakage },
        { contract: () => "B", title: theft },
      ],
    ],
    ["by their titles, where there is no contract", [{ title: breakage }, { title: theft }]],
    [
      "by their titles, where one contract has them all",
      [
        { contract: () => "A", title: breakage },
        { contract: () => "A", title: theft },
      ],
    ],
    [
      "by their titles, where each reference has a contract of its own",
      [
        { contract: (term: number, band: number) => `A${term}${band}`, title: breakage },
        { contract: (term: number, band: number) => `B${term}${band}`, title: theft },
      ],
    ],
  ])("%s, and all of them are sold", (_how, formulas) => {
    const references = catalogue(...formulas);
    expect(findReferenceProblems(references, { currency: "EUR", rule: {}, hasDocuments: true })).toEqual(
      new Map(),
    );
    const names = formulaNames(references);
    expect(new Set(names.values())).toEqual(new Set(["Assurance casse", "Assurance casse et vol"]));
    expect(names.get("1 24 20000")).toBe("Assurance casse et vol");
  });

  it("by contract and name, where the titles are one", () => {
    const plain = () => "Assurance";
    const names = formulaNames(
      catalogue({ contract: () => "A", title: plain }, { contract: () => "B", title: plain }),
    );
    expect(new Set(names.values())).toEqual(new Set(["Assurance (A)", "Assurance (B)"]));
  });
});

describe("a category has one formula, which has no name", () => {
  it.each([
    ["a contract for each term", { contract: (term: number) => `A${term}`, title: breakage }],
    ["a contract for each band", { contract: (_: number, band: number) => `A${band}`, title: breakage }],
    ["a title for each term", { title: (term: number) => (term === 12 ? "Un an" : "Deux ans") }],
  ])("with %s", (_what, formula) => {
    expect(formulaNames(catalogue(formula))).toEqual(new Map());
  });

  it("with a contract for each band, and bands of which one ends where the next begins", () => {
    const contract = (_: number, band: number) => `A${band}`;
    const references = catalogue({ contract, title: breakage }).map((each) => ({
      ...each,
      bandMaxMinor: each.bandMinMinor + 10_000,
    }));
    expect(formulaNames(references)).toEqual(new Map());
  });

  it("with offers that nothing tells apart: those overlap, and one of each is sold", () => {
    const references = catalogue({ title: breakage }, { title: breakage });
    const problems = findReferenceProblems(references, { currency: "EUR", rule: {}, hasDocuments: true });
    expect([...problems.values()].map(({ problem }) => problem)).toEqual(Array(4).fill("overlap"));
    expect(formulaNames(references)).toEqual(new Map());
  });
});

describe("the name of a category as a formula of its universe", () => {
  const names = (...ids: string[]) => [...namesInUniverse(ids).values()];

  it("lacks the first word where all begin with it", () => {
    expect(names("Smartphone Casse", "Smartphone Casse et vol")).toEqual(["Casse", "Casse et vol"]);
    expect(names("Smartphone", "Smartphone Intégrale")).toEqual(["Smartphone", "Intégrale"]);
  });

  it("is the category's where they begin otherwise, or with a part of a word", () => {
    expect(names("Casse", "Vol")).toEqual(["Casse", "Vol"]);
    expect(names("Photo casse", "Photographie casse")).toEqual(["Photo casse", "Photographie casse"]);
  });
});
