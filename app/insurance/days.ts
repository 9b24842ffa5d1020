/** The calendar day at the beginning of a date that the insurer wrote: in digits, or with the name of the month. */

const DIGITS = /^(?:(\d{4})([-/])(\d{2})\2(\d{2})|(\d{1,2})([/.-])(\d{1,2})\6(\d{4}))(?!\d)/;
/** "31 mars 2026", "31. März 2026", "31-Mar-2026", "31 de marzo de 2026", "Tue, 31 Mar 2026" */
const DAY_FIRST =
  /^(?:\p{L}{2,12}[.,]? +)?(\d{1,2})(?:er|st|nd|rd|th|[.º])?[ -]+(?:de |of )?(\p{L}{3,12})\.?,?[ -]+(?:de )?(\d{4})(?!\d)/u;
/** "March 31, 2026" */
const MONTH_FIRST = /^(?:\p{L}{2,12}[.,]? +)?(\p{L}{3,12})\.? +(\d{1,2})(?:st|nd|rd|th)?,? +(\d{4})(?!\d)/u;

/** Without accents, in French, English, German, Spanish, Italian, Dutch and Portuguese, with the usual short forms. */
const MONTH_NAMES = [
  /^(?:jan|janv|january|janvier|januar|januari|enero|ene|gennaio|gen|janeiro)$/,
  /^(?:feb|febr|february|fevrier|fevr|fev|februar|februari|febrero|febbraio|fevereiro)$/,
  /^(?:mar|march|mars|marz|mrz|marzo|maart|mrt|marco)$/,
  /^(?:apr|april|avril|avr|abril|abr|aprile)$/,
  /^(?:may|mai|mayo|maggio|mag|mei|maio)$/,
  /^(?:jun|june|juin|juni|junio|giugno|giu|junho)$/,
  /^(?:jul|july|juillet|juil|juli|julio|luglio|lug|julho)$/,
  /^(?:aug|august|aout|agosto|ago|augustus)$/,
  /^(?:sep|sept|september|septembre|septiembre|settembre|set|setembro)$/,
  /^(?:oct|october|octobre|oktober|okt|octubre|ottobre|ott|outubro|out)$/,
  /^(?:nov|november|novembre|noviembre|novembro)$/,
  /^(?:dec|december|decembre|dezember|dez|diciembre|dic|dicembre|dezembro)$/,
];

/** @returns the day as `YYYY-MM-DD` and what follows it; null: the text begins with no date, or with no existing day */
export function readDay(text: string): { day: string; rest: string } | null {
  const digits = DIGITS.exec(text);
  if (digits) {
    const [all, year, , month, day, frenchDay, , frenchMonth, frenchYear] = digits;
    return dayOf(year ?? frenchYear, month ?? frenchMonth, day ?? frenchDay, text.slice(all.length));
  }
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const dayFirst = DAY_FIRST.exec(plain);
  const monthFirst = dayFirst ? null : MONTH_FIRST.exec(plain);
  const [all = "", day, name, year] = dayFirst ?? [
    monthFirst?.[0],
    monthFirst?.[2],
    monthFirst?.[1],
    monthFirst?.[3],
  ];
  const month = name === undefined ? -1 : MONTH_NAMES.findIndex((names) => names.test(name));
  return month < 0 ? null : dayOf(year, String(month + 1), day, plain.slice(all.length).toUpperCase());
}

function dayOf(year = "", month = "", day = "", rest = ""): { day: string; rest: string } | null {
  // Date.UTC rolls 31 February over to March: then it was no date. (Formatting a Date would cost ten times as much.)
  const rolled = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (rolled.getUTCMonth() !== Number(month) - 1) return null;
  return { day: `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`, rest };
}
