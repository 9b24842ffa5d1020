/** The organisation's sales and commissions as CSV files. Columns are named by the specification's fields. */
import type { Merchant } from "#app/merchants/merchant.ts";
import { csvTable } from "#app/platform/csv.server.ts";
import type { Cell, FileLanguage } from "#app/platform/csv.server.ts";
import { allCommissions } from "./commissions.server.ts";
import type { CommissionRow } from "./commissions.server.ts";
import { organisationFilter } from "./filter.ts";
import type { OrganisationFilter } from "./filter.ts";
import { organisationOf } from "./view.server.ts";
import { allSales } from "./sales.server.ts";
import type { SaleRow } from "./sales.server.ts";

const euros = (minor: number | null): Cell => ({ minor, currency: "EUR" });

const saleColumns: Record<string, (sale: SaleRow) => Cell> = {
  id: (sale) => sale.saleId,
  date: (sale) => sale.date,
  status: (sale) => sale.status,
  cancellation_date: (sale) => sale.cancelledOn,
  monthly: (sale) => sale.monthly,
  store: (sale) => sale.store,
  store_id: (sale) => sale.storeId,
  store_external_id: (sale) => sale.storeExternalId,
  seller: (sale) => sale.seller,
  category: (sale) => sale.category,
  product_reference_id: (sale) => sale.productReferenceId,
  price: (sale) => euros(sale.priceMinor),
  front_eur: (sale) => euros(sale.frontMinor),
  air_eur: (sale) => euros(sale.airMinor),
};

const commissionColumns: Record<string, (commission: CommissionRow) => Cell> = {
  id: (commission) => commission.commissionId,
  date: (commission) => commission.date,
  plan_sale_id: (commission) => commission.saleId,
  store: (commission) => commission.store,
  store_id: (commission) => commission.storeId,
  store_external_id: (commission) => commission.storeExternalId,
  type: (commission) => commission.type,
  billing_type: (commission) => commission.billingType,
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
