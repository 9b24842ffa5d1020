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
