/** Pure: the periods and sums of the attachment statistics. */

export interface AttachmentFigures {
  /** lines with a product that is in an insurance category; of an exchange whose cover moved, the replacement */
  eligible: number;
  /** of these, where an offer was shown */
  seen: number;
  /** of these, where the shopper chose insurance */
  chosen: number;
  /** of these, that were paid */
  paid: number;
  /** of these, whose insurance is over: cancelled, refunded, removed */
  cancelled: number;
  /** what the plans whose contract is in force cost, minor units of the shop's currency */
  premiumMinor: number;
}

export const dimensions = ["day", "category", "touchpoint", "product", "band"] as const;
export type Dimension = (typeof dimensions)[number];

/** The attachment rate: the share of eligible lines with paid insurance. Null where nothing was eligible. */
export function attachmentRate({ eligible, paid }: AttachmentFigures): number | null {
  return eligible === 0 ? null : paid / eligible;
}

/** Where the price bands of the statistics begin, in units of the currency; the first begins at 0. */
export const bandStarts = [100, 200, 300, 500, 750, 1_000, 1_500, 2_000] as const;

/** Days that follow one another, first and last one included, `YYYY-MM-DD`. */
export interface DayRange {
  first: string;
  last: string;
}

const DAY_MS = 86_400_000;

/** Joins neighbouring days. @param days each once, sorted */
export function toDayRanges(days: string[]): DayRange[] {
  const ranges: DayRange[] = [];
  for (const day of days) {
    const range = ranges.at(-1);
    if (range && Date.parse(day) - Date.parse(range.last) === DAY_MS) range.last = day;
    else ranges.push({ first: day, last: day });
  }
  return ranges;
}

/** The ranges, or the one that spans all of them where they are more than a statement should name. */
export function atMostRanges(ranges: DayRange[], most: number): DayRange[] {
  const [first, last] = [ranges[0], ranges.at(-1)];
  return first && last && ranges.length > most ? [{ first: first.first, last: last.last }] : ranges;
}

const monthOf = (day: string): string => `${day.slice(0, 7)}-01`;

function nextMonth(month: string): string {
  const next = new Date(month);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return next.toISOString().slice(0, 10);
}

/** The months that these days are in, each once, by their first days. */
export function monthsOf(ranges: readonly DayRange[]): string[] {
  const months = new Set<string>();
  for (const { first, last } of ranges) {
    for (let month = monthOf(first); month <= last; month = nextMonth(month)) months.add(month);
  }
  return [...months];
}

/** Of the months at the ends of a period, those that are not in it as a whole. An open side has none. */
export function partsOfMonths({ start, end }: { start: string | null; end: string | null }): string[] {
  const cut: string[] = [];
  if (start !== null && start !== monthOf(start)) cut.push(monthOf(start));
  if (end !== null && Date.parse(end) + DAY_MS !== Date.parse(nextMonth(monthOf(end))))
    cut.push(monthOf(end));
  return cut;
}
