/**
 * Formulas: the sets of guarantees that one category offers. The specification does not show how offers of one category
 * are told apart, so several readings are tried (app/insurance/not-shown.md).
 */
import { cutText } from "#app/platform/storable-text.ts";
import type { Reference } from "./reference.ts";

/** The fields that a reading compares. */
type Told = Pick<Reference, "contractId" | "title" | "termLength">;

type Band = Pick<Reference, "bandMinMinor" | "bandMaxMinor">;

type FormulaKey = (reference: Told) => string;

/** Each tells the formulas of a category apart; the first one says that there is one formula alone. */
const readings: readonly FormulaKey[] = [
  () => "",
  ({ contractId, ...reference }) => contractId || titleWithoutTerm(reference),
  titleWithoutTerm,
  ({ contractId, ...reference }) => `${contractId ?? ""}\n${titleWithoutTerm(reference)}`,
];

/** Long enough for any offer's title, and short enough for a product's option. */
const MAX_NAME = 120;

/**
 * How the references of one category are told apart: the reading that leaves the fewest references ambiguous, and of
 * those the one with the fewest formulas. A contract per term or band is no formula of its own then.
 */
export function formulaKeyOf(references: readonly Reference[]): FormulaKey {
  const [best] = readings
    .map((key) => ({
      key,
      // Offers made for one product take the place of the general ones: they overlap on purpose.
      overlaps: findOverlaps(references, (each) => `${each.productReferenceIds.join()}\n${key(each)}`).size,
      formulas: new Set(references.map(key)).size,
    }))
    .sort((a, b) => a.overlaps - b.overlaps || a.formulas - b.formulas)
    .map(({ key }) => key);
  return best ?? titleWithoutTerm;
}

/** The name of each reference's formula, by reference id; empty where the category has one formula. */
export function formulaNames(references: readonly Reference[]): Map<string, string> {
  const byKey = Map.groupBy(references, formulaKeyOf(references));
  if (byKey.size < 2) return new Map();
  const named = [...byKey.values()].map((members) => ({ members, name: nameOf(members) }));
  return new Map(
    named.flatMap(({ members, name }) => {
      const isTaken = named.some((other) => other.members !== members && other.name === name);
      const contractId = members[0]?.contractId ?? "";
      const distinct = isTaken && contractId !== "" ? `${name} (${contractId})` : name;
      return members.map(({ referenceId }) => [referenceId, cutText(distinct, MAX_NAME)] as const);
    }),
  );
}

/**
 * The names of the formulas of a universe, by category: without the first word where all begin with it. "Smartphone
 * Casse" beside "Smartphone Intégrale" is "Casse". Further words stay, because they may be guarantees.
 */
export function namesInUniverse(categoryIds: readonly string[]): Map<string, string> {
  const [first] = sharedWords(categoryIds).split(" ");
  const universe = first === undefined || first === "" ? "" : `${first} `;
  return new Map(
    categoryIds.map((id) => {
      const name = id.startsWith(universe) ? id.slice(universe.length).trim() : "";
      return [id, cutText(name === "" ? id : name, MAX_NAME)];
    }),
  );
}

function nameOf(members: readonly Reference[]): string {
  const [first] = members;
  return sharedWords(members.map(titleWithoutTerm)) || first?.title || first?.contractId || "";
}

/** What all texts begin with, in whole words and without punctuation at its end. */
export function sharedWords(texts: readonly string[]): string {
  const [first, ...others] = texts.filter((text) => text !== "").map((text) => text.split(/\s+/));
  let shared = first ?? [];
  for (const words of others) {
    const end = shared.findIndex((word, index) => word !== words[index]);
    if (end >= 0) shared = shared.slice(0, end);
  }
  return shared.join(" ").replace(/[\s,;:(–-]+$/u, "");
}

/** "Assurance casse, 24 mois" is "Assurance casse": an offer's title may end with its term. */
function titleWithoutTerm({ title, termLength }: Pick<Told, "title" | "termLength">): string {
  const plain = termLength === "" ? title : title.replace(termLength, "");
  return plain
    .replace(/\(\s*\)/gu, "")
    .replace(/\s+/gu, " ")
    .replace(/^[\s,;:·–-]+|[\s,;:·(–-]+$/gu, "");
}

/**
 * The references that cannot be told from another one: same formula, term and billing, and prices in both bands. By id,
 * with the other one, which has the lower band.
 */
export function findOverlaps(
  references: readonly Reference[],
  formulaKey: (reference: Reference) => string,
): Map<string, string> {
  const overlaps = new Map<string, string>();
  const last = new Map<string, Reference>();
  for (const reference of references.toSorted(byTermAndBand)) {
    const group = groupOf(reference, formulaKey);
    const previous = last.get(group);
    if (previous && bandsOverlap(previous, reference)) {
      overlaps.set(reference.referenceId, previous.referenceId);
    } else {
      last.set(group, reference);
    }
  }
  return overlaps;
}

/**
 * Whether two bands have more in common than the price at which one ends and the other begins: ends that touch are no
 * mistake (app/insurance/not-shown.md).
 * @param lower begins first, or at the same price
 */
const bandsOverlap = (lower: Band, higher: Band): boolean =>
  lower.bandMaxMinor > higher.bandMinMinor ||
  (lower.bandMaxMinor === higher.bandMinMinor && higher.bandMaxMinor === higher.bandMinMinor);

/** References of one group may not overlap: same formula, term and billing. */
export const groupOf = (reference: Reference, formulaKey: (reference: Reference) => string): string =>
  `${reference.termMonths} ${reference.billing} ${formulaKey(reference)}`;

export function byTermAndBand(a: Reference, b: Reference): number {
  return (
    a.termMonths - b.termMonths ||
    a.bandMinMinor - b.bandMinMinor ||
    a.bandMaxMinor - b.bandMaxMinor ||
    (a.referenceId < b.referenceId ? -1 : 1)
  );
}
