/**
 * Sales and commissions in the database, with what the commission rules say of each. A page of the service is written
 * with one statement; a row that is there already gets its new values (a sale may have been cancelled meanwhile).
 */
import type { Commission, Sale } from "#app/insurance/analytics.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { commissionEffect, saleCommission } from "./commission-rules.ts";

/** The day of a date that may carry a time. */
const day = (date: string) => date.slice(0, 10);

/** One statement cannot write a row twice: of a page that repeats an id, the last one counts. */
function onePerId<T extends { id: string }>(items: T[]): T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

/** @returns how many rows were written */
export async function writeSales(
  tx: Transaction,
  shop: string,
  organisation: string,
  sales: Sale[],
): Promise<number> {
  const rows = onePerId(sales).map(toSaleRow);
  return tx.$executeRaw`
    INSERT INTO "OrganisationSale"
      (shop, organisation, "saleId", date, status, "cancelledOn", monthly, store, "storeId", "storeExternalId",
       "productReferenceId", category, seller, "priceMinor", "frontMinor", "airMinor", "airFrom", "isContradiction")
    SELECT ${shop}, ${organisation}, row.*
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row
      ("saleId" text, date text, status text, "cancelledOn" text, monthly boolean, store text, "storeId" text,
       "storeExternalId" text, "productReferenceId" text, category text, seller text, "priceMinor" int,
       "frontMinor" int, "airMinor" int, "airFrom" text, "isContradiction" boolean)
    ON CONFLICT (shop, organisation, "saleId") DO UPDATE SET
      date = excluded.date, status = excluded.status, "cancelledOn" = excluded."cancelledOn",
      monthly = excluded.monthly, store = excluded.store, "storeId" = excluded."storeId",
      "storeExternalId" = excluded."storeExternalId", "productReferenceId" = excluded."productReferenceId",
      category = excluded.category, seller = excluded.seller, "priceMinor" = excluded."priceMinor",
      "frontMinor" = excluded."frontMinor", "airMinor" = excluded."airMinor", "airFrom" = excluded."airFrom",
      "isContradiction" = excluded."isContradiction"`;
}

function toSaleRow(sale: Sale) {
  const amounts = { monthly: sale.monthly, frontMinor: sale.frontMinor, airMinor: sale.airMinor };
  return {
    saleId: sale.id,
    date: day(sale.date),
    status: sale.status,
    cancelledOn: sale.cancellationDate === null ? null : day(sale.cancellationDate),
    store: sale.store,
    storeId: sale.storeId,
    storeExternalId: sale.storeExternalId,
    productReferenceId: sale.productReferenceId,
    category: sale.category,
    seller: sale.seller,
    priceMinor: sale.priceMinor,
    ...amounts,
    ...saleCommission({ date: day(sale.date), ...amounts }),
  };
}

/** @returns how many rows were written */
export async function writeCommissions(
  tx: Transaction,
  shop: string,
  organisation: string,
  commissions: Commission[],
): Promise<number> {
  const rows = onePerId(commissions).map(toCommissionRow);
  return tx.$executeRaw`
    INSERT INTO "OrganisationCommission"
      (shop, organisation, "commissionId", date, store, "storeId", "storeExternalId", "saleId", monthly,
       "billingType", type, "amountMinor", "priceMinor", "effectMinor")
    SELECT ${shop}, ${organisation}, row.*
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row
      ("commissionId" text, date text, store text, "storeId" text, "storeExternalId" text, "saleId" text,
       monthly boolean, "billingType" text, type text, "amountMinor" int, "priceMinor" int, "effectMinor" int)
    ON CONFLICT (shop, organisation, "commissionId") DO UPDATE SET
      date = excluded.date, store = excluded.store, "storeId" = excluded."storeId",
      "storeExternalId" = excluded."storeExternalId", "saleId" = excluded."saleId", monthly = excluded.monthly,
      "billingType" = excluded."billingType", type = excluded.type, "amountMinor" = excluded."amountMinor",
      "priceMinor" = excluded."priceMinor", "effectMinor" = excluded."effectMinor"`;
}

function toCommissionRow(commission: Commission) {
  const { monthly, type, billingType, amountMinor } = commission;
  return {
    commissionId: commission.id,
    date: day(commission.date),
    store: commission.store,
    storeId: commission.storeId,
    storeExternalId: commission.storeExternalId,
    saleId: commission.planSaleId,
    monthly,
    billingType,
    type,
    amountMinor,
    priceMinor: commission.priceMinor,
    effectMinor: commissionEffect({ monthly, billingType, type, amountMinor }),
  };
}
