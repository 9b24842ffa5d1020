/** The organisation's sales and commissions as CSV files. */
import type { Merchant } from "#app/merchants/merchant.ts";
import { csvTable } from "#app/platform/csv.server.ts";
import type { Cell, FileLanguage } from "#app/platform/csv.server.ts";
import { allCommissions, allSales, type CommissionRow, type SaleRow } from "./organisation-figures.server.ts";
import { organisationFilter } from "./filter.ts";
import type { OrganisationFilter } from "./filter.ts";
import { organisationOf } from "./import.server.ts";

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
  amount: (commission) => euros(commission.amountMinor),
  price: (commission) => euros(commission.priceMinor),
};

export function salesFile(
  merchant: Merchant,
  search: URLSearchParams,
  language: FileLanguage,
): Promise<Response> {
  return file("sales.csv", saleColumns, allSales, merchant, search, language);
}

export function commissionsFile(
  merchant: Merchant,
  search: URLSearchParams,
  language: FileLanguage,
): Promise<Response> {
  return file("commissions.csv", commissionColumns, allCommissions, merchant, search, language);
}

async function file<Row>(
  name: string,
  columns: Record<string, (row: Row) => Cell>,
  read: (shop: string, organisation: string, filter: OrganisationFilter) => AsyncIterable<Row>,
  merchant: Merchant,
  search: URLSearchParams,
  language: FileLanguage,
): Promise<Response> {
  const organisation = await organisationOf(merchant.shop, merchant.environment);
  if (!organisation) throw new Response(null, { status: 404 });
  const rows = read(merchant.shop, organisation.id, organisationFilter.parse(Object.fromEntries(search)));
  return csvTable(name, columns, rows, language);
}
