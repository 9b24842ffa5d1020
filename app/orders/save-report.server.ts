/**
 * Stores what Shopify reports of an order: what it adds to the order's book, and, beside it, the sealed customer. Of the
 * customer nothing is stored unless there is something to insure.
 */
import { keepTerms } from "#app/offers/offer-terms.server.ts";
import { type DataKey, dataKeyOf } from "#app/merchants/data-key.server.ts";
import { appendToBook, type Appended } from "#app/orders/book/book.server.ts";
import { eventsOfReport, newItems, type ReportContext, type ReportOrigin } from "#app/orders/book/report.ts";
import { checkOrder, type CheckedOrder } from "#app/orders/book/sale-check.ts";
import { paymentMethod, salesChannel } from "#app/orders/sales-record.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { AccessDenied } from "#app/shopify/errors.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import { fetchOrder } from "#app/shopify/order-query.server.ts";
import { readCatalogueView } from "./catalogue-view.server.ts";
import { type InsuredCustomer, insuredCustomerOf } from "./customer.ts";
import {
  customerDigest,
  openConsents,
  openCustomer,
  sealConsents,
  sealCustomer,
  wordsOfConsents,
} from "./sealed.server.ts";

/** Null: the shop has no such order, it is too old for the app, or the app may read none. */
export async function fetchOrderIfAllowed(
  ...[shop, orderId, options]: Parameters<typeof fetchOrder>
): Promise<ShopOrder | null> {
  try {
    return await fetchOrder(shop, orderId, options);
  } catch (error) {
    if (error instanceof AccessDenied) return null;
    throw error;
  }
}

/**
 * Stores a report. Safe to repeat, and in any order of reports.
 * @param sendsJob false: the caller does what it calls for
 */
export async function saveReport(
  shop: string,
  report: ShopOrder,
  origin: ReportOrigin,
  { sendsJob = true }: { sendsJob?: boolean } = {},
): Promise<Appended | null> {
  const { view, environment } = await readCatalogueView(shop, report);
  const checked = checkOrder(report, view);
  const key = checked.items.length > 0 ? await dataKeyOf(shop) : null;
  // Webhooks give the time of a change in whole seconds, the Admin API may be finer: they must compare.
  const changedAt = new Date(Math.floor(report.updatedAt.getTime() / 1_000) * 1_000);
  return db.$transaction(async (tx) => {
    const isNew = await createOrder(tx, shop, report, checked, { key, changedAt, environment });
    return appendToBook(
      tx,
      shop,
      report.id,
      async ({ order, tx: locked }) => {
        const isNewest = isNew || (await savePersonalData(locked, shop, report, checked, { key, changedAt }));
        const references = newItems(order, checked).map(({ offerReferenceId }) => offerReferenceId);
        const about = { shop, environment, language: report.language };
        const terms = await keepTerms(locked, about, [...new Set(references)]);
        const context: ReportContext = { environment, origin, isNewest, changedAt, terms };
        return eventsOfReport(order, report, checked, context);
      },
      { sendsJob },
    );
  });
}

interface NewOrder {
  key: DataKey | null;
  changedAt: Date;
  environment: string;
}

/** The row that is locked, and what is sealed beside the book; the book fills it. @returns whether it is new */
async function createOrder(
  tx: Transaction,
  shop: string,
  report: ShopOrder,
  checked: CheckedOrder,
  { key, changedAt, environment }: NewOrder,
): Promise<boolean> {
  const data = {
    shop,
    orderId: report.id,
    name: report.name,
    purchasedAt: report.createdAt,
    changedAt,
    currency: report.currency,
    paymentMethod: paymentMethod(report.gateways),
    salesChannel: salesChannel(report.sourceName, report.business),
    environment,
    acceptsMarketing: report.acceptsMarketing,
    ...(key === null ? {} : sealedOf(notStored, report, checked, key)),
  };
  const { count } = await tx.order.createMany({ data, skipDuplicates: true });
  return count > 0;
}

/** @returns whether no later report of the order was read */
async function savePersonalData(
  tx: Transaction,
  shop: string,
  report: ShopOrder,
  checked: CheckedOrder,
  { key, changedAt }: { key: DataKey | null; changedAt: Date },
): Promise<boolean> {
  const where = { shop_orderId: { shop, orderId: report.id } };
  const row = await tx.order.findUniqueOrThrow({
    where,
    select: {
      changedAt: true,
      sealedCustomer: true,
      sealedConsents: true,
      customerDigest: true,
      erasedAt: true,
      acceptsMarketing: true,
    },
  });
  const isNewest = changedAt >= row.changedAt;
  const data = {
    ...(changedAt > row.changedAt ? { changedAt } : {}),
    ...(row.acceptsMarketing && !report.acceptsMarketing ? { acceptsMarketing: false } : {}),
    ...(key === null || row.erasedAt !== null ? {} : sealedOf(row, report, checked, key)),
  };
  if (Object.keys(data).length > 0) await tx.order.update({ where, data });
  return isNewest;
}

interface StoredPerson {
  sealedCustomer: string | null;
  sealedConsents: string | null;
  customerDigest: string | null;
}

const notStored: StoredPerson = { sealedCustomer: null, sealedConsents: null, customerDigest: null };

/** What is stored of the customer stays; what is missing in it and this report knows is filled in. */
function sealedOf(stored: StoredPerson, report: ShopOrder, { items }: CheckedOrder, key: DataKey) {
  const known: Partial<InsuredCustomer> =
    stored.sealedCustomer === null ? {} : openCustomer(key, report.id, stored.sealedCustomer);
  const given = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null));
  const customer = { ...insuredCustomerOf(report), ...given };
  const isMore =
    stored.sealedCustomer === null ||
    Object.values(customer).filter((value) => value !== null).length > Object.keys(given).length;
  const words = wordsOfConsents(items);
  const knownWords = openConsents(key, report.id, stored.sealedConsents);
  const hasNewWords = Object.keys(words).some((lineId) => knownWords[lineId] === undefined);
  return {
    ...(isMore ? sealCustomer(key, report.id, customer) : {}),
    ...(hasNewWords ? { sealedConsents: sealConsents(key, report.id, { ...words, ...knownWords }) } : {}),
    ...(stored.customerDigest === null && report.customerId !== null
      ? { customerDigest: customerDigest(key, report.customerId) }
      : {}),
  };
}
