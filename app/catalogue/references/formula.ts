/**
 * Formulas: the sets of guarantees that one category offers. The specification does not say how to distinguish them,
 * so the code tries several readings (app/insurance/not-shown.md).
 */
import { cutText } from "#app/platform/storable-text.ts";
import type { Reference } from "./reference.ts";

/** The fields that a reading compares. */
type Told = Pick<Reference, "contractId" | "title" | "termLength">;

type Band = Pick<Reference, "bandMinMinor" | "bandMaxMinor">;

type FormulaKey = (reference: Told) => string;

/** Each reading distinguishes the formulas of a category. The first one assumes a single formula. */
const readings: readonly FormulaKey[] = [
  () => "",
  ({ contractId, ...reference }) => contractId || titleWithoutTerm(reference),
  titleWithoutTerm,
  ({ contractId, ...reference }) => `${contractId ?? ""}\n${titleWithoutTerm(reference)}`,
];

/** Enough for any offer's title, and within the limit of a product option. */
const MAX_NAME = 120;

/**
 * Picks the reading that leaves the fewest ambiguous references, and among those the one with the fewest formulas. So
 * a contract per term or band does not become a formula.
 */
export function formulaKeyOf(references: readonly Reference[]): FormulaKey {
  const [best] = readings
    .map((key) => ({
      key,
      // Offers for a single product replace the general ones, so an overlap with them is intended.
      overlaps: findOverlaps(references, (each) => `${each.productReferenceIds.join()}\n${key(each)}`).size,
      formulas: new Set(references.map(key)).size,
    }))
    .sort((a, b) => a.overlaps - b.overlaps || a.formulas - b.formulas)
    .map(({ key }) => key);
  return best ?? titleWithoutTerm;
}

/** The formula name of each reference, by reference id; empty if the category has one formula. */
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
 * The formula names of a universe, by category. A common first word is removed: "Smartphone Casse" beside "Smartphone
 * Intégrale" becomes "Casse". Further common words stay, because they may name guarantees.
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

/** The common beginning of all texts, in whole words and without final punctuation. */
export function sharedWords(texts: readonly string[]): string {
  const [first, ...others] = texts.filter((text) => text !== "").map((text) => text.split(/\s+/));
  let shared = first ?? [];
  for (const words of others) {
    const end = shared.findIndex((word, index) => word !== words[index]);
    if (end >= 0) shared = shared.slice(0, end);
  }
  return shared.join(" ").replace(/[\s,;:(–-]+$/u, "");
}

/** Removes a term at the end of an offer's title: "Assurance casse, 24 mois" becomes "Assurance casse". */
function titleWithoutTerm({ title, termLength }: Pick<Told, "title" | "termLength">): string {
  const plain = termLength === "" ? title : title.replace(termLength, "");
  return plain
    .replace(/\(\s*\)/gu, "")
    .replace(/\s+/gu, " ")
    .replace(/^[\s,;:·–-]+|[\s,;:·(–-]+$/gu, "");
}

/**
 * Finds references that cannot be distinguished: same formula, term and billing, and overlapping bands. The result
 * maps the id to the other reference, which has the lower band.
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
 * Whether two bands overlap. Bands that share only an end do not overlap (app/insurance/not-shown.md).
 * @param lower begins first, or at the same price
 */
const bandsOverlap = (lower: Band, higher: Band): boolean =>
  lower.bandMaxMinor > higher.bandMinMinor ||
  (lower.bandMaxMinor === higher.bandMinMinor && higher.bandMaxMinor === higher.bandMinMinor);

/** References of one group (same formula, term and billing) may not overlap. */
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
