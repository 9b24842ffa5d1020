/** How insurance sells: the statistics of any period. */
import { sendJob } from "#app/jobs/queue.server.ts";
import type { AttachmentFigures } from "./overview.ts";
import { bandStartsIn, type Group, type OverviewRange, readGroups, uncountedDays } from "./rows.server.ts";

export interface AttachmentOverview {
  total: AttachmentFigures;
  /** `YYYY-MM-DD`, oldest first */
  days: (AttachmentFigures & { day: string })[];
  categories: (AttachmentFigures & { category: string })[];
  /** where the offer was chosen, else where it was shown; "" where the storefront did not say */
  touchpoints: (AttachmentFigures & { touchpoint: string })[];
  /** the twenty products with the most eligible lines */
  products: (AttachmentFigures & { product: string; title: string })[];
  /** lowest price of the band, minor units; `toMinor` is null for the last one */
  bands: (AttachmentFigures & { fromMinor: number; toMinor: number | null })[];
}

export const noFigures: AttachmentFigures = {
  eligible: 0,
  seen: 0,
  chosen: 0,
  paid: 0,
  cancelled: 0,
  premiumMinor: 0,
};

/**
 * All figures of a period: the sums of its months and days, and the order lines of the days that changed since. What
 * changes while this reads may be in it or not; what changed before is.
 */
export async function attachmentOverview(shop: string, range: OverviewRange): Promise<AttachmentOverview> {
  const uncounted = await uncountedDays(shop, range);
  const rows = await readGroups(shop, range, uncounted);
  const lines = rows.find(({ dimension }) => dimension === "uncounted")?.eligible ?? 0;
  await requestRecount(shop, lines);
  return toOverview(rows, range.currency);
}

/** With more lines than this that the daily sums do not hold, a job counts them soon and not at its hour. */
const MANY_LINES = 2_000;

/** The page itself is answered first: the job would take the processor and the embedded database from it. */
const RECOUNT_AFTER_MS = 5_000;

/** Sends the counting job, where a page had to count many lines itself. */
export async function requestRecount(shop: string, lines: number): Promise<void> {
  if (lines <= MANY_LINES) return;
  const startAfter = new Date(Date.now() + RECOUNT_AFTER_MS);
  await sendJob("attachment-recount", { shop }, { singletonKey: shop, startAfter });
}

function toOverview(rows: Group[], currency: string): AttachmentOverview {
  const of = (dimension: Group["dimension"]) =>
    rows.flatMap(({ dimension: found, value, title, ...counts }) =>
      found === dimension ? [{ value, title, counts }] : [],
    );
  const mostFirst = (dimension: "category" | "touchpoint" | "product") =>
    of(dimension).sort((a, b) => b.counts.eligible - a.counts.eligible || (a.value < b.value ? -1 : 1));
  const starts = bandStartsIn(currency);
  return {
    total: of("total")[0]?.counts ?? noFigures,
    days: of("day")
      .sort((a, b) => (a.value < b.value ? -1 : 1))
      .map(({ value, counts }) => ({ day: value, ...counts })),
    categories: mostFirst("category").map(({ value, counts }) => ({ category: value, ...counts })),
    touchpoints: mostFirst("touchpoint").map(({ value, counts }) => ({ touchpoint: value, ...counts })),
    products: mostFirst("product").map(({ value, title, counts }) => ({ product: value, title, ...counts })),
    bands: of("band")
      .map(({ value, counts }) => ({ band: Number(value), counts }))
      .sort((a, b) => a.band - b.band)
      .map(({ band, counts }) => ({
        fromMinor: starts[band - 1] ?? 0,
        toMinor: starts[band] ?? null,
        ...counts,
      })),
  };
}
