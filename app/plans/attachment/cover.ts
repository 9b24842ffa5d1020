/** How a period is put together from whole years, whole months and single days, with as few pieces as can be. */

/** Days `YYYY-MM-DD`, months `YYYY-MM` or years `YYYY`, first and last one included. */
export interface Piece {
  level: "day" | "month" | "year";
  from: string;
  to: string;
}

const yearText = (year: number) => String(year).padStart(4, "0");
/** Months are numbered from January of year 0. */
const monthText = (month: number) =>
  `${yearText(Math.floor(month / 12))}-${String((month % 12) + 1).padStart(2, "0")}`;
const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
const dayCount = (month: number) =>
  new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate();
const lastDay = (month: number) => `${monthText(month)}-${dayCount(month)}`;

/** @param start `YYYY-MM-DD`; null leaves that side open @param end not before `start` */
export function cover(start: string | null, end: string | null): Piece[] {
  const from = start ?? "0000-01-01";
  const to = end ?? "9999-12-31";
  const first = from.endsWith("-01") ? monthOf(from) : monthOf(from) + 1;
  const last = to === lastDay(monthOf(to)) ? monthOf(to) : monthOf(to) - 1;
  if (first > last) return [days(from, to)];
  return [
    ...(from.endsWith("-01") ? [] : [days(from, lastDay(first - 1))]),
    ...months(first, last),
    ...(to === lastDay(last) ? [] : [days(`${monthText(last + 1)}-01`, to)]),
  ];
}

const days = (from: string, to: string): Piece => ({ level: "day", from, to });

function months(first: number, last: number): Piece[] {
  const piece = (from: number, to: number): Piece[] =>
    from > to ? [] : [{ level: "month", from: monthText(from), to: monthText(to) }];
  const firstYear = Math.ceil(first / 12);
  const lastYear = Math.floor((last + 1) / 12) - 1;
  if (firstYear > lastYear) return piece(first, last);
  return [
    ...piece(first, firstYear * 12 - 1),
    { level: "year", from: yearText(firstYear), to: yearText(lastYear) },
    ...piece((lastYear + 1) * 12, last),
  ];
}
