/** Analytics as CSV files: the attachment statistics, and the organisation's sales and commissions. */
import type { Merchant } from "#app/merchants/merchant.ts";
import { signedMinor } from "./commission-rules.ts";
import { type Cell, csvTable, type FileLanguage, type FileSubject } from "#app/platform/csv.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { minorDigits } from "../../extensions/currency-digits.ts";
import { type AttachmentFigures, attachmentRate, type Dimension } from "./attachment.ts";
import { attachmentOverview, type AttachmentRange } from "./attachment.server.ts";
import {
  allCommissions,
  allSales,
  type CommissionRow,
  salesBySeller,
  salesOverview,
  type SaleRow,
} from "./organisation-figures.server.ts";
import { soldInsurance } from "./sold-insurance.server.ts";
import { organisationFilter } from "./filter.ts";
import type { OrganisationFilter } from "./filter.ts";
import { organisationOf } from "./import.server.ts";

type FileDimension = Dimension | "term" | "formula" | "end" | "order" | "store" | "seller";

/** A figure that a row does not have is missing. */
interface AttachmentRow extends Partial<Omit<AttachmentFigures, "premiumMinor">> {
  dimension: FileDimension;
  /** the lowest price for a band */
  value: Cell;
  title?: string;
  /** contracts from which customers withdrew */
  withdrawn?: number;
  premium: Cell;
}

/**
 * One row for each day, category, touchpoint, format, product and price band; for each term, formula and span of days
 * until a contract ended; one for the premium of an order with insurance; and one for each point of sale and seller that
 * the insurer shows. Shares are between 0 and 1.
 */
export async function attachmentFile(
  merchant: Merchant,
  range: AttachmentRange,
  language: FileLanguage,
): Promise<Response> {
  const { shop } = merchant;
  const { currency } = range;
  const [overview, sold, sales] = await Promise.all([
    attachmentOverview(shop, range),
    soldInsurance(shop, range),
    salesOfPeriod(merchant, range),
  ]);
  const columns: Record<string, (row: AttachmentRow) => Cell> = {
    dimension: ({ dimension }) => dimension,
    value: ({ value }) => value,
    title: ({ title = null }) => title,
    eligible: ({ eligible = null }) => eligible,
    seen: ({ seen = null }) => seen,
    chosen: ({ chosen = null }) => chosen,
    paid: ({ paid = null }) => paid,
    cancelled: ({ cancelled = null }) => cancelled,
    withdrawn: ({ withdrawn = null }) => withdrawn,
    attachmentRate: ({ eligible, paid }) =>
      eligible === undefined || paid === undefined
        ? null
        : Number((attachmentRate({ eligible, paid }) ?? 0).toFixed(4)),
    premium: ({ premium }) => premium,
    currencyCode: () => currency,
  };
  const money = (minor: number): Cell => ({ minor, currency });
  const row = (
    dimension: Dimension,
    value: Cell,
    { eligible, seen, chosen, paid, cancelled, premiumMinor }: AttachmentFigures,
    title?: string,
  ): AttachmentRow => ({
    dimension,
    value,
    ...(title === undefined ? {} : { title }),
    eligible,
    seen,
    chosen,
    paid,
    cancelled,
    premium: money(premiumMinor),
  });
  const { insuredOrders, premiumMinor } = sold;
  const rows: AttachmentRow[] = [
    ...overview.days.map((group) => row("day", group.day, group)),
    ...overview.categories.map((group) => row("category", group.category, group)),
    ...overview.touchpoints.map((group) => row("touchpoint", group.touchpoint, group)),
    ...overview.formats.map((group) => row("format", group.format, group)),
    ...overview.products.map((group) => row("product", group.product, group, group.title)),
    ...overview.bands.map((group) => row("band", money(group.fromMinor), group)),
    ...(["term", "formula"] as const).flatMap((dimension) =>
      sold[`${dimension}s`].map(({ value, lines, premiumMinor: minor }) => ({
        dimension,
        value,
        eligible: overview.total.eligible,
        paid: lines,
        premium: money(minor),
      })),
    ),
    ...sold.ends
      .filter(({ withdrawn, cancelled }) => withdrawn + cancelled > 0)
      .map(({ from, to, withdrawn, cancelled }) => ({
        dimension: "end" as const,
        value: to === null ? `${from}+` : `${from}-${to}`,
        cancelled,
        withdrawn,
        premium: null,
      })),
    ...(insuredOrders === 0
      ? []
      : [
          {
            dimension: "order" as const,
            value: money(Math.round(premiumMinor / insuredOrders)),
            paid: insuredOrders,
            premium: money(premiumMinor),
          },
        ]),
    ...sales,
  ];
  return csvTable("attachment", columns, rows, language);
}

/** The insurer's sales of a period by point of sale and by seller; none without an organisation token. */
async function salesOfPeriod(
  { shop, environment, timezone, currency }: Merchant,
  { start, end }: Pick<AttachmentRange, "start" | "end">,
): Promise<AttachmentRow[]> {
  const organisation = await organisationOf(shop, environment);
  if (!organisation) return [];
  const filter = { start, end, stores: [], billing: null };
  const today = toLocalDay(timezone, new Date());
  const [{ stores }, sellers] = await Promise.all([
    salesOverview(shop, organisation.id, filter, today),
    salesBySeller(shop, organisation.id, filter),
  ]);
  // The insurer sends prices in the stores' currency with two decimals.
  const price = (minor: number): Cell => ({
    minor: Math.round(minor * 10 ** (minorDigits(currency) - 2)),
    currency,
  });
  return [
    ...stores.map(({ storeId, store, sales, cancelled, priceMinor }) => ({
      dimension: "store" as const,
      value: storeId,
      title: store,
      paid: sales,
      cancelled,
      premium: price(priceMinor),
    })),
    ...sellers.map(({ seller, sales, priceMinor }) => ({
      dimension: "seller" as const,
      value: seller,
      paid: sales,
      premium: price(priceMinor),
    })),
  ];
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
