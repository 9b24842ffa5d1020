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
