/** How insurance sells: the statistics of any period, as a page, as a file, and in short on Home. */
import { sendJob } from "#app/jobs/queue.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { type Cell, csvTable, type FileLanguage } from "#app/platform/csv.server.ts";
import { db } from "#app/platform/db.server.ts";
import { type AttachmentFigures, attachmentRate, type Dimension } from "./overview.ts";
import {
  type AttachmentSettings,
  type AttachmentSummary,
  bandStartsIn,
  type Group,
  type OverviewRange,
  type PlansSummary,
  readGroups,
  readSums,
  summaryRow,
  uncountedDays,
} from "./rows.server.ts";

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

const noFigures: AttachmentFigures = {
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
async function requestRecount(shop: string, lines: number): Promise<void> {
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

// As a CSV file: one row per day, category, touchpoint, product and price band.

interface Row {
  dimension: Dimension;
  /** a band's is the lowest price in it */
  value: Cell;
  title: string | null;
  figures: AttachmentFigures;
}

/** Shares are between 0 and 1. */
export async function attachmentFile(
  shop: string,
  range: OverviewRange,
  language: FileLanguage,
): Promise<Response> {
  const { days, categories, touchpoints, products, bands } = await attachmentOverview(shop, range);
  const { currency } = range;
  const columns: Record<string, (row: Row) => Cell> = {
    dimension: ({ dimension }) => dimension,
    value: ({ value }) => value,
    title: ({ title }) => title,
    eligible: ({ figures }) => figures.eligible,
    seen: ({ figures }) => figures.seen,
    chosen: ({ figures }) => figures.chosen,
    paid: ({ figures }) => figures.paid,
    cancelled: ({ figures }) => figures.cancelled,
    attachmentRate: ({ figures }) => Number((attachmentRate(figures) ?? 0).toFixed(4)),
    premium: ({ figures }) => ({ minor: figures.premiumMinor, currency }),
    currencyCode: () => currency,
  };
  const row = (dimension: Dimension, value: Cell, title: string | null, figures: AttachmentFigures): Row => ({
    dimension,
    value,
    title,
    figures,
  });
  const rows = [
    ...days.map((one) => row("day", one.day, null, one)),
    ...categories.map((one) => row("category", one.category, null, one)),
    ...touchpoints.map((one) => row("touchpoint", one.touchpoint, null, one)),
    ...products.map((one) => row("product", one.product, one.title, one)),
    ...bands.map((one) => row("band", { minor: one.fromMinor, currency }, null, one)),
  ];
  return csvTable("attachment.csv", columns, rows, language);
}

// What the home page shows of insurance: how it sold lately, and whether something needs a person.

const noSales: AttachmentSummary = { ...noFigures, insuredOrders: 0 };

/** Whether an order has had a contract. */
export async function isInsuredOrderSeen(shop: string): Promise<boolean> {
  const where = { shop, contractId: { not: null } };
  return (await db.insuredUnit.findFirst({ where, select: { orderId: true } })) !== null;
}

export interface HomeSummary {
  today: AttachmentSummary;
  /** the last thirty days */
  month: AttachmentSummary;
  plans: PlansSummary;
}

/**
 * How insurance sold today and in the last thirty days (the daily sums, and the order lines of the days that changed
 * since those were counted), and what the page says of plans.
 * @param today `YYYY-MM-DD` in the shop's time zone
 */
export async function homeSummary(
  shop: string,
  settings: AttachmentSettings & { environment: Environment },
  today: string,
): Promise<HomeSummary> {
  const start = new Date(Date.parse(today) - 29 * 86_400_000).toISOString().slice(0, 10);
  const range = { ...settings, start, end: today };
  const uncounted = await uncountedDays(shop, range);
  const found = await readSums(shop, range, uncounted, today);
  const month = found.find(({ isToday }) => isToday === null) ?? found[0];
  await requestRecount(shop, month.uncountedLines);
  return {
    today: summaryRow.parse(found.find(({ isToday }) => isToday === true) ?? noSales),
    month: summaryRow.parse(month),
    plans: month.plans,
  };
}
