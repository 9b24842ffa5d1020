/** The figures of the attachment statistics, and their overview by day, category, touchpoint, product and price. */
import { minorDigits } from "../../extensions/currency-digits.ts";

export interface AttachmentFigures {
  /** lines with a product in an insurance category; in an exchange only the replacement if its insurance moved */
  eligible: number;
  /** those with an offer shown */
  seen: number;
  /** those for which the shopper chose insurance */
  chosen: number;
  /** those with paid insurance */
  paid: number;
  /** those with ended insurance: cancelled, refunded or removed */
  cancelled: number;
  /** premiums of the plans with a contract in force, minor units of the shop's currency */
  premiumMinor: number;
}

export const noFigures: AttachmentFigures = {
  eligible: 0,
  seen: 0,
  chosen: 0,
  paid: 0,
  cancelled: 0,
  premiumMinor: 0,
};

export const addFigures = (a: AttachmentFigures, b: AttachmentFigures): AttachmentFigures => ({
  eligible: a.eligible + b.eligible,
  seen: a.seen + b.seen,
  chosen: a.chosen + b.chosen,
  paid: a.paid + b.paid,
  cancelled: a.cancelled + b.cancelled,
  premiumMinor: a.premiumMinor + b.premiumMinor,
});

/** The attachment rate: the share of eligible lines with paid insurance. Null if no line was eligible. */
export function attachmentRate({
  eligible,
  paid,
}: Pick<AttachmentFigures, "eligible" | "paid">): number | null {
  return eligible === 0 ? null : paid / eligible;
}

export const dimensions = ["day", "category", "touchpoint", "format", "band", "product"] as const;
export type Dimension = (typeof dimensions)[number];

/** The format of a line whose offer was not on the product page, the only place that has several. */
export const NOT_ON_PRODUCT_PAGE = "none";

/** The figures of all lines with the same value in one dimension. */
export interface AttachmentGroup extends AttachmentFigures {
  dimension: Dimension;
  /** a day is `YYYY-MM-DD`, a band its number from 0; "": the line has no touchpoint, or its product was deleted */
  value: string;
  /** the product's title; otherwise "" */
  title: string;
}

export interface AttachmentOverview {
  total: AttachmentFigures;
  /** oldest first, `YYYY-MM-DD` */
  days: (AttachmentFigures & { day: string })[];
  categories: (AttachmentFigures & { category: string })[];
  /** the touchpoint of the choice, otherwise of the offer; "" if the storefront sent none */
  touchpoints: (AttachmentFigures & { touchpoint: string })[];
  /** of the product page alone: the format that the merchant had set when the order came; "": not known */
  formats: (AttachmentFigures & { format: string })[];
  /** the products with the most eligible lines */
  products: (AttachmentFigures & { product: string; title: string })[];
  /** lowest price of the band, minor units; `toMinor` is null for the last one */
  bands: (AttachmentFigures & { fromMinor: number; toMinor: number | null })[];
}

/** The lower ends of the price bands, in units of the currency; the first band begins at 0. */
export const bandStarts = [100, 200, 300, 500, 750, 1_000, 1_500, 2_000] as const;

/** The lower ends of the price bands, in minor units of the currency. */
export const bandStartsIn = (currency: string): number[] =>
  bandStarts.map((start) => start * 10 ** minorDigits(currency));

/** @param groups all groups of each dimension, in any order; for products only those to show */
export function toAttachmentOverview(groups: AttachmentGroup[], currency: string): AttachmentOverview {
  const groupsOf = (dimension: Dimension) =>
    groups.flatMap(({ dimension: groupedBy, value, title, ...figures }) =>
      groupedBy === dimension ? [{ value, title, figures }] : [],
    );
  const mostFirst = (dimension: "category" | "touchpoint" | "format" | "product") =>
    groupsOf(dimension).sort(
      (a, b) => b.figures.eligible - a.figures.eligible || (a.value < b.value ? -1 : 1),
    );
  const starts = bandStartsIn(currency);
  const days = groupsOf("day")
    .sort((a, b) => (a.value < b.value ? -1 : 1))
    .map(({ value, figures }) => ({ day: value, ...figures }));
  return {
    total: days.reduce<AttachmentFigures>(addFigures, noFigures),
    days,
    categories: mostFirst("category").map(({ value, figures }) => ({ category: value, ...figures })),
    touchpoints: mostFirst("touchpoint").map(({ value, figures }) => ({ touchpoint: value, ...figures })),
    formats: mostFirst("format")
      .filter(({ value }) => value !== NOT_ON_PRODUCT_PAGE)
      .map(({ value, figures }) => ({ format: value, ...figures })),
    products: mostFirst("product").map(({ value, title, figures }) => ({
      product: value,
      title,
      ...figures,
    })),
    bands: groupsOf("band")
      .map(({ value, figures }) => ({ band: Number(value), figures }))
      .sort((a, b) => a.band - b.band)
      .map(({ band, figures }) => ({
        fromMinor: starts[band - 1] ?? 0,
        toMinor: starts[band] ?? null,
        ...figures,
      })),
  };
}
