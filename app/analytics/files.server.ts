/** Analytics as CSV files: the attachment statistics, and the organisation's sales and commissions. */
import type { Merchant } from "#app/merchants/merchant.ts";
import { signedMinor } from "./commission-rules.ts";
import { type Cell, csvTable, type FileLanguage, type FileSubject } from "#app/platform/csv.server.ts";
import { type AttachmentFigures, attachmentRate, type Dimension } from "./attachment.ts";
import { attachmentOverview, type AttachmentRange } from "./attachment.server.ts";
import { allCommissions, allSales, type CommissionRow, type SaleRow } from "./organisation-figures.server.ts";
import { organisationFilter } from "./filter.ts";
import type { OrganisationFilter } from "./filter.ts";
import { organisationOf } from "./import.server.ts";

interface AttachmentRow {
  dimension: Dimension;
  /** the lowest price for a band */
  value: Cell;
  title: string | null;
  figures: AttachmentFigures;
}

/** One row for each day, category, touchpoint, product and price band. Shares are between 0 and 1. */
export async function attachmentFile(
  shop: string,
  range: AttachmentRange,
  language: FileLanguage,
): Promise<Response> {
  const { days, categories, touchpoints, products, bands } = await attachmentOverview(shop, range);
  const { currency } = range;
  const columns: Record<string, (row: AttachmentRow) => Cell> = {
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
  const row = (
    dimension: Dimension,
    value: Cell,
    title: string | null,
    figures: AttachmentFigures,
  ): AttachmentRow => ({ dimension, value, title, figures });
  const rows = [
    ...days.map((group) => row("day", group.day, null, group)),
    ...categories.map((group) => row("category", group.category, null, group)),
    ...touchpoints.map((group) => row("touchpoint", group.touchpoint, null, group)),
    ...products.map((group) => row("product", group.product, group.title, group)),
    ...bands.map((group) => row("band", { minor: group.fromMinor, currency }, null, group)),
  ];
  return csvTable("attachment", columns, rows, language);
}

const euros = (minor: number | null): Cell => ({ minor, currency: "EUR" });

const saleColumns: Record<string, (sale: SaleRow) => Cell> = {
  id: (sale) => sale.saleId,
  date: (sale) => sale.date,
  status: (sale) => sale.status,
  cancellationDate: (sale) => sale.cancelledOn,
  monthly: (sale) => sale.monthly,
  store: (sale) => sale.store,
  storeId: (sale) => sale.storeId,
  storeExternalId: (sale) => sale.storeExternalId,
  seller: (sale) => sale.seller,
  category: (sale) => sale.category,
  productReferenceId: (sale) => sale.productReferenceId,
  price: (sale) => euros(sale.priceMinor),
  frontEur: (sale) => euros(sale.frontMinor),
  airEur: (sale) => euros(sale.airMinor),
};

const commissionColumns: Record<string, (commission: CommissionRow) => Cell> = {
  id: (commission) => commission.commissionId,
  date: (commission) => commission.date,
  planSaleId: (commission) => commission.saleId,
  store: (commission) => commission.store,
  storeId: (commission) => commission.storeId,
  storeExternalId: (commission) => commission.storeExternalId,
  type: (commission) => commission.type,
  billingType: (commission) => commission.billingType,
  monthly: (commission) => commission.monthly,
  amount: (commission) => euros(signedMinor(commission, "amountMinor")),
  price: (commission) => euros(signedMinor(commission, "priceMinor")),
};

export function salesFile(
  merchant: Merchant,
  search: URLSearchParams,
  language: FileLanguage,
): Promise<Response> {
  return file("sales", saleColumns, allSales, merchant, search, language);
}

export function commissionsFile(
  merchant: Merchant,
  search: URLSearchParams,
  language: FileLanguage,
): Promise<Response> {
  return file("commissions", commissionColumns, allCommissions, merchant, search, language);
}

async function file<Row>(
  subject: FileSubject,
  columns: Record<string, (row: Row) => Cell>,
  read: (shop: string, organisation: string, filter: OrganisationFilter) => AsyncIterable<Row>,
  merchant: Merchant,
  search: URLSearchParams,
  language: FileLanguage,
): Promise<Response> {
  const organisation = await organisationOf(merchant.shop, merchant.environment);
  if (!organisation) throw new Response(null, { status: 404 });
  const rows = read(merchant.shop, organisation.id, organisationFilter.parse(Object.fromEntries(search)));
  return csvTable(subject, columns, rows, language);
}
