/**
 * The duration of an insurance as the insurer words it: digits or number words with months or years, in French, English,
 * German, Spanish, Italian, Dutch and Portuguese, or an ISO 8601 duration.
 */

/** The insurer's text is of any length; no duration is longer than this. */
const MAX_LENGTH = 40;

/** Without accents; the numbers of months and years that insurance is sold for. */
const NUMBER_WORDS: [words: string, number: number][] = [
  ["a an un une one ein eine einen einem uno una een um uma", 1],
  ["deux two zwei dos due twee dois duas", 2],
  ["trois three drei tres tre drie", 3],
  ["quatre four vier cuatro quattro quatro", 4],
  ["cinq five funf cinco cinque vijf", 5],
  ["six sechs seis sei zes", 6],
  ["dix ten zehn diez dieci tien dez", 10],
  ["douze twelve zwolf doce dodici twaalf doze", 12],
  ["dix-huit eighteen achtzehn dieciocho diciotto achttien dezoito", 18],
  ["vingt-quatre twenty-four vierundzwanzig veinticuatro ventiquattro vierentwintig vinte-e-quatro", 24],
  ["trente-six thirty-six sechsunddreissig treinta-y-seis trentasei zesendertig trinta-e-seis", 36],
  ["quarante-huit forty-eight achtundvierzig cuarenta-y-ocho quarantotto achtenveertig quarenta-e-oito", 48],
  ["soixante sixty sechzig sesenta sessanta zestig sessenta", 60],
];
const numberByWord = new Map(
  NUMBER_WORDS.flatMap(([words, number]) => words.split(" ").map((word) => [word, number] as const)),
);

const COUNT = String.raw`(\d{1,3}(?:[.,]0)?|${[...numberByWord.keys()].join("|").replaceAll("-", "[ -]")})`;
const MONTHS = String.raw`(?:mois|months?|mths?|m|monate?n?|mes(?:es)?|mes[ei]|maand(?:en)?)`;
const YEARS = String.raw`(?:ans?|annees?|years?|yrs?|y|jahre?n?|anos?|ann[oi]|jaar|jaren)`;
const END = String.raw`\.?(?:\(s\))?`;
const BARE = /^(\d{1,3})(?:[.,]0)?$/;
const IN_MONTHS = new RegExp(`^${COUNT}[ -]*${MONTHS}${END}$`);
const IN_YEARS = new RegExp(`^${COUNT}[ -]*${YEARS}${END}$`);
const IN_BOTH = new RegExp(
  `^${COUNT}[ -]*${YEARS}${END},?(?: (?:et|and|und|y|e|en))? +${COUNT}[ -]*${MONTHS}${END}$`,
);
const ISO = /^p(?:(\d{1,2})y)?(?:(\d{1,3})m)?$/;

/** Months in a human-readable duration ("24 mois", "un an", "1 year 6 months", "P24M", "12"); null if it is none. */
export function parseTerm(text: string): number | null {
  if (text.length > MAX_LENGTH) return null;
  const plain = text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/\s+/g, " ")
    .trim();
  // "24 mois (2 ans)" says it twice.
  const [first = plain, second] = /^(.+?) ?\((.{2,})\)$/.exec(plain)?.slice(1) ?? [];
  const months = monthsIn(first);
  const isSame = second === undefined || monthsIn(second) === months;
  return isSame && months !== null && months > 0 ? months : null;
}

function monthsIn(text: string): number | null {
  // A bare number is months: that is what the plan's term_length is declared as.
  const bare = BARE.exec(text);
  if (bare) return Number(bare[1]);
  const inMonths = IN_MONTHS.exec(text);
  if (inMonths) return numberOf(inMonths[1]);
  const inYears = IN_YEARS.exec(text);
  if (inYears) return numberOf(inYears[1]) * 12;
  const inBoth = IN_BOTH.exec(text);
  if (inBoth) return numberOf(inBoth[1]) * 12 + numberOf(inBoth[2]);
  const iso = ISO.exec(text);
  return iso ? Number(iso[1] ?? 0) * 12 + Number(iso[2] ?? 0) : null;
}

const numberOf = (count = ""): number =>
  numberByWord.get(count.replaceAll(" ", "-")) ?? Number(count.replace(",", "."));
