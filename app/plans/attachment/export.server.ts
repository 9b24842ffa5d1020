/** The statistics of a period as a CSV file: one row per day, category, touchpoint, product and price band. */
import { type Cell, csvTable, type FileLanguage } from "#app/platform/csv.server.ts";
import { attachmentOverview } from "./overview.server.ts";
import type { OverviewRange } from "./rows.server.ts";
import { type AttachmentFigures, attachmentRate, type Dimension } from "./overview.ts";

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
