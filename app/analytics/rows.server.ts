/**
 * Sales and commissions in the database. A page of the service is written with one statement; a row that is there
 * already takes its new values (a sale may have been cancelled meanwhile).
 */
import type { Commission } from "#app/insurance/commission.ts";
import type { Sale } from "#app/insurance/sale.ts";
import type { Transaction } from "#app/platform/db.server.ts";

/** The day of a date that may carry a time. */
const day = (date: string) => date.slice(0, 10);

/** One statement cannot write a row twice: of a page that repeats an id, the last one counts. */
function onePerId<T extends { id: string }>(items: T[]): T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

/** @returns how many rows were written */
export async function writeSales(
  transaction: Transaction,
  shop: string,
  organisation: string,
  sales: Sale[],
): Promise<number> {
  const rows = onePerId(sales).map((sale) => ({
    saleId: sale.id,
    date: day(sale.date),
    status: sale.status,
    cancelledOn: sale.cancellation_date === null ? null : day(sale.cancellation_date),
    monthly: sale.monthly,
    store: sale.store,
    storeId: sale.store_id,
    storeExternalId: sale.store_external_id,
    productReferenceId: sale.product_reference_id,
    category: sale.category,
    seller: sale.seller,
    priceCents: sale.price_minor,
    frontCents: sale.front_minor,
    airCents: sale.air_minor,
  }));
  return transaction.$executeRaw`
    INSERT INTO "OrganisationSale"
      (shop, organisation, "saleId", date, status, "cancelledOn", monthly, store, "storeId", "storeExternalId",
       "productReferenceId", category, seller, "priceCents", "frontCents", "airCents")
    SELECT ${shop}, ${organisation}, row.*
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row
      ("saleId" text, date text, status text, "cancelledOn" text, monthly boolean, store text, "storeId" text,
       "storeExternalId" text, "productReferenceId" text, category text, seller text, "priceCents" int,
       "frontCents" int, "airCents" int)
    ON CONFLICT (shop, organisation, "saleId") DO UPDATE SET
      date = excluded.date, status = excluded.status, "cancelledOn" = excluded."cancelledOn",
      monthly = excluded.monthly, store = excluded.store, "storeId" = excluded."storeId",
      "storeExternalId" = excluded."storeExternalId", "productReferenceId" = excluded."productReferenceId",
      category = excluded.category, seller = excluded.seller, "priceCents" = excluded."priceCents",
      "frontCents" = excluded."frontCents", "airCents" = excluded."airCents"`;
}

/** @returns how many rows were written */
export async function writeCommissions(
  transaction: Transaction,
  shop: string,
  organisation: string,
  commissions: Commission[],
): Promise<number> {
  const rows = onePerId(commissions).map((commission) => ({
    commissionId: commission.id,
    date: day(commission.date),
    store: commission.store,
    storeId: commission.store_id,
    storeExternalId: commission.store_external_id,
    saleId: commission.plan_sale_id,
    monthly: commission.monthly,
    billingType: commission.billing_type,
    type: commission.type,
    amountCents: commission.amount_minor,
    priceCents: commission.price_minor,
  }));
  return transaction.$executeRaw`
    INSERT INTO "OrganisationCommission"
      (shop, organisation, "commissionId", date, store, "storeId", "storeExternalId", "saleId", monthly,
       "billingType", type, "amountCents", "priceCents")
    SELECT ${shop}, ${organisation}, row.*
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row
      ("commissionId" text, date text, store text, "storeId" text, "storeExternalId" text, "saleId" text,
       monthly boolean, "billingType" text, type text, "amountCents" int, "priceCents" int)
    ON CONFLICT (shop, organisation, "commissionId") DO UPDATE SET
      date = excluded.date, store = excluded.store, "storeId" = excluded."storeId",
      "storeExternalId" = excluded."storeExternalId", "saleId" = excluded."saleId", monthly = excluded.monthly,
      "billingType" = excluded."billingType", type = excluded.type, "amountCents" = excluded."amountCents",
      "priceCents" = excluded."priceCents"`;
}
