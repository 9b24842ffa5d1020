/** Months as `YYYY-MM`, and to which of them something belongs. */

const isMonthText = /^\d{4}-(0[1-9]|1[0-2])$/;

export const isMonth = (text: string): boolean => isMonthText.test(text);

/** The month of a day, `YYYY-MM-DD`. */
export const monthOfDay = (day: string): string => day.slice(0, 7);

export function addMonths(month: string, months: number): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/**
 * The month to which something belongs: the one in which it happened. If that month was closed without it, it is a
 * correction of the month in which it was found, or of the next one that is open.
 * @param closed the closed months
 */
export function settledMonth(
  { happenedOn, knownOn }: { happenedOn: string; knownOn: string },
  closed: ReadonlySet<string>,
): string {
  const happened = monthOfDay(happenedOn);
  if (!closed.has(happened)) return happened;
  let month = monthOfDay(knownOn);
  while (closed.has(month)) month = addMonths(month, 1);
  return month;
}
