/** What the law of a shop's country requires of the merchant. docs/law.md names the clauses. */

/** Metropolitan France, and the departments where its code des assurances holds. Shopify gives each its own code. */
const france = ["FR", "GF", "GP", "MF", "MQ", "RE", "YT"];

/** The European Economic Area: directives 2016/97 and 2011/83 hold there. */
const europeanEconomicArea = new Set([
  ...france,
  ...["AT", "AX", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "GR", "HR", "HU", "IE", "IS", "IT"],
  ...["LI", "LT", "LU", "LV", "MT", "NL", "NO", "PL", "PT", "RO", "SE", "SI", "SK"],
]);

/** Code des assurances, article L. 112-10: insurance that is sold with a good. */
const FRENCH_WITHDRAWAL_DAYS = 30;
/** Directive 2011/83, article 9. */
const DIRECTIVE_WITHDRAWAL_DAYS = 14;

/** @param country the shop's own; empty: not known yet */
export const minWithdrawalDays = (country: string): number =>
  france.includes(country) ? FRENCH_WITHDRAWAL_DAYS : DIRECTIVE_WITHDRAWAL_DAYS;

/** What a shop lacks before it may sell real insurance, in the order in which Go live names it. */
export const legalGaps = [
  "insurer",
  "insurer_address",
  "complaints",
  "withdrawal_days",
  /** a legal text of the offers names another number of days than the setting */
  "two_deadlines",
  /** no mail server: the acknowledgement of a withdrawal cannot be sent */
  "mail",
] as const;
export type LegalGap = (typeof legalGaps)[number];

/** What the law requires of a shop's settings. */
export interface LegalFacts {
  /** the shop's own; empty: not known yet */
  country: string;
  /** where it sells insurance to */
  countries: readonly string[];
  insurer: string;
  insurer_address: string;
  complaints: string;
  withdrawalDays: number;
  hasTwoDeadlines: boolean;
  mailIsOn: boolean;
}

/** Whether European law holds for a shop that is, or sells, in these countries. A shop whose country is not known may be in Europe. */
export const isEuropean = ({ country, countries }: Pick<LegalFacts, "country" | "countries">): boolean =>
  country === "" || [country, ...countries].some((each) => europeanEconomicArea.has(each));

/** The insurer's texts that European law requires and the merchant has not entered. */
export function missingInsurerTexts(
  facts: Pick<LegalFacts, "country" | "countries" | "insurer" | "insurer_address" | "complaints">,
): LegalGap[] {
  if (!isEuropean(facts)) return [];
  return (["insurer", "insurer_address", "complaints"] as const).filter((text) => facts[text] === "");
}

export function findLegalGaps(facts: LegalFacts): LegalGap[] {
  const gaps = new Set(missingInsurerTexts(facts));
  if (facts.withdrawalDays < minWithdrawalDays(facts.country)) gaps.add("withdrawal_days");
  if (facts.hasTwoDeadlines) gaps.add("two_deadlines");
  if (isEuropean(facts) && !facts.mailIsOn) gaps.add("mail");
  return legalGaps.filter((gap) => gaps.has(gap));
}
