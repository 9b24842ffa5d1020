/** All figures of the attachment page, of a period and of the one before it. */
import { toLocalDay } from "#app/platform/day.ts";
import type { AttachmentOverview } from "./attachment.ts";
import { attachmentOverview, type AttachmentRange } from "./attachment.server.ts";
import {
  type Course,
  courseOf,
  previousPeriod,
  type SoldInsurance,
  type Suggestion,
  suggestionsOf,
} from "./sold-insurance.ts";
import { soldInsurance } from "./sold-insurance.server.ts";

export interface Statistics {
  overview: AttachmentOverview;
  sold: SoldInsurance;
  /** null: the period has no beginning, and so none before it */
  course: Course | null;
  suggestions: Suggestion[];
}

export async function readStatistics(shop: string, range: AttachmentRange): Promise<Statistics> {
  const today = toLocalDay(range.timezone, new Date());
  const previous = previousPeriod(range, today);
  const [overview, sold, before] = await Promise.all([
    attachmentOverview(shop, range),
    soldInsurance(shop, range),
    previous && attachmentOverview(shop, { ...range, ...previous }),
  ]);
  const { start, end } = range;
  return {
    overview,
    sold,
    course:
      start === null || previous === null || before === null
        ? null
        : courseOf({ start, end: end ?? today }, overview.days, previous, before.days),
    suggestions: suggestionsOf(overview),
  };
}
