/** The statistics of a period as a CSV file: one row per day, category, touchpoint, product and price band. */
import { csvResponse } from "#app/platform/csv.server.ts";
import { toDecimalText } from "#app/platform/money.ts";
import { attachmentOverview } from "./overview.server.ts";
import type { OverviewRange } from "./uncounted.server.ts";
import { attachmentRate } from "./overview.ts";
import type { AttachmentFigures, Dimension } from "./overview.ts";

const columns = [
  "dimension",
  "value",
  "title",
  "eligible",
  "seen",
  "chosen",
  "paid",
  "cancelled",
  "attachment_rate",
  "premium",
  "currency_code",
];

/** Shares are between 0 and 1, amounts decimal with a point; a band's value is the lowest price in it. */
export async function attachmentFile(shop: string, range: OverviewRange): Promise<Response> {
  const { days, categories, touchpoints, products, bands } = await attachmentOverview(shop, range);
  const { currency } = range;
  const row = (dimension: Dimension, value: string, title: string, figures: AttachmentFigures) => {
    const { eligible, seen, chosen, paid, cancelled, premiumMinor } = figures;
    const rate = (attachmentRate(figures) ?? 0).toFixed(4);
    const premium = toDecimalText(premiumMinor, currency);
    return [dimension, value, title, eligible, seen, chosen, paid, cancelled, rate, premium, currency];
  };
  return csvResponse("attachment.csv", columns, [
    ...days.map((one) => row("day", one.day, "", one)),
    ...categories.map((one) => row("category", one.category, "", one)),
    ...touchpoints.map((one) => row("touchpoint", one.touchpoint, "", one)),
    ...products.map((one) => row("product", one.product, one.title, one)),
    ...bands.map((one) => row("band", toDecimalText(one.fromMinor, currency), "", one)),
  ]);
}
