import type { AttachmentFigures } from "#app/plans/attachment/overview.ts";

/** More points than that are a carpet and no line. */
const MOST_DAYS = 92;

interface OverTime {
  by: "day" | "month";
  /** oldest first; `at` is `YYYY-MM-DD` or `YYYY-MM` */
  points: (AttachmentFigures & { at: string })[];
}

/** The figures by day, or by month where there are many days. @param days oldest first */
export function overTime(days: (AttachmentFigures & { day: string })[]): OverTime {
  if (days.length <= MOST_DAYS)
    return { by: "day", points: days.map(({ day, ...rest }) => ({ at: day, ...rest })) };
  const months = new Map<string, AttachmentFigures>();
  for (const { day, ...one } of days) {
    const month = day.slice(0, 7);
    const sum = months.get(month);
    months.set(month, sum ? add(sum, one) : one);
  }
  return { by: "month", points: [...months].map(([at, rest]) => ({ at, ...rest })) };
}

function add(a: AttachmentFigures, b: AttachmentFigures): AttachmentFigures {
  return {
    eligible: a.eligible + b.eligible,
    seen: a.seen + b.seen,
    chosen: a.chosen + b.chosen,
    paid: a.paid + b.paid,
    cancelled: a.cancelled + b.cancelled,
    premiumMinor: a.premiumMinor + b.premiumMinor,
  };
}
