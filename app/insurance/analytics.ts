/**
 * The organisation analytics (spec, "Endpoints" 10 and 11, note 7): sales and commissions over all points of sale of
 * one organisation. The organisation's token travels in the query string, as the specification has it; the query
 * string is in no error and in no log.
 */
import { z } from "zod";
import { isIsoDay } from "#app/platform/day.ts";
import { amount, date, flag, id, minorUnits, openWord, orNull, text, withMoney, word } from "./fields.ts";
import { NotFound, Rejected } from "./errors.ts";
import { createSend, type Account, type ClientOptions } from "./request.ts";
import { describeRows } from "./list.ts";
import { explainIssue, findRows, megabytes, type Read } from "./response.ts";

/** The merchant's own identifier of a store; "" when none is set. */
const externalId = z
  .union([z.string(), z.int().transform(String)])
  .nullish()
  .transform((value) => value ?? "");

/** Spec, "Sales (organisation analytics)": one sale made by a point of sale. Floats become integer cents. */
export const wireSale = withMoney(
  z
    .object({
      id,
      status: openWord(["active", "cancelled"]),
      cancellation_date: orNull(date),
      monthly: flag,
      date,
      store: text,
      store_id: id,
      store_external_id: externalId,
      product_reference_id: orNull(id),
      category: text,
      price: amount,
      seller: text,
      front_eur: orNull(amount),
      air_eur: orNull(amount),
    })
    .transform((wire, context) => ({
      /** Identifier of the sale, which is the contract. */
      id: wire.id,
      status: wire.status,
      /** ISO 8601, see parseDate; null while the contract is not cancelled. */
      cancellationDate: wire.cancellation_date,
      /** True when billed monthly, false when billed once. */
      monthly: wire.monthly,
      /** Subscription date, `YYYY-MM-DD`. */
      date: wire.date,
      /** Name of the point of sale. */
      store: wire.store,
      /** The insurer's identifier of the store: an integer there, a string here. */
      storeId: wire.store_id,
      storeExternalId: wire.store_external_id,
      productReferenceId: wire.product_reference_id ?? "",
      category: wire.category,
      seller: wire.seller,
      /** Contract price in the store's currency, which is not sent: read as one with two decimals. */
      priceMinor: minorUnits(wire.price, "EUR", "price", context),
      /** Annual: the whole commission. Monthly: the year-1 advance, null when none is configured. Euro cents. */
      frontMinor: wire.front_eur === null ? null : minorUnits(wire.front_eur, "EUR", "front_eur", context),
      /** Monthly: the commission of each month (from year 2 after an advance, else from year 1). Annual: null. Euro cents. */
      airMinor: wire.air_eur === null ? null : minorUnits(wire.air_eur, "EUR", "air_eur", context),
    })),
);
export type Sale = z.output<typeof wireSale>;

/**
 * Spec, "Commission (organisation analytics)": tied to one collection on a contract. The spec does not show the sign of
 * a refund: the amount is kept as received, and `billingType` marks a refund.
 */
export const wireCommission = withMoney(
  z
    .object({
      id,
      date,
      store: text,
      store_id: id,
      store_external_id: externalId,
      amount,
      price: amount,
      plan_sale_id: id,
      monthly: flag,
      billing_type: openWord(["collected", "refunded"]),
      type: word(["front", "air"]),
    })
    .transform((wire, context) => ({
      id: wire.id,
      /** Date of the collection, ISO 8601, see parseDate. */
      date: wire.date,
      /** Name of the point of sale. */
      store: wire.store,
      /** The insurer's identifier of the store: an integer there, a string here. */
      storeId: wire.store_id,
      storeExternalId: wire.store_external_id,
      /** Commission of the point of sale, euro cents. */
      amountMinor: minorUnits(wire.amount, "EUR", "amount", context),
      /** Amount collected, euro cents. */
      priceMinor: minorUnits(wire.price, "EUR", "price", context),
      /** The sale (contract) it belongs to. */
      planSaleId: wire.plan_sale_id,
      /** True when billed monthly, false when billed once. */
      monthly: wire.monthly,
      /** `collected` and `refunded` are known; more may come. */
      billingType: wire.billing_type,
      type: wire.type,
    })),
);
export type Commission = z.output<typeof wireCommission>;

interface AnalyticsQuery {
  /** `YYYY-MM-DD`, inclusive. */
  startDate?: string;
  /** `YYYY-MM-DD`, inclusive. */
  endDate?: string;
  /** The points of sale to restrict to, by the merchant's own identifiers. */
  externalIds?: string[];
  /** Items per request; left out: 100, and 25 where the insurer refuses that. */
  perPage?: number;
}

/** The insurer's maximum is not shown; its own default is the second one. */
const PAGE_SIZES = [100, 25];

export interface PageOfRows<T> {
  /** From 1. */
  number: number;
  items: T[];
}

/** Pages are fetched as they are consumed; memory holds one. They end with the first page that is empty, not found or a repetition. */
type Pages<T> = (query?: AnalyticsQuery, from?: number) => AsyncIterable<PageOfRows<T>>;

export interface OrganisationAnalytics {
  /** Requests one sale. @throws Unauthorised where the token is refused; another InsuranceError */
  verifyToken(): Promise<void>;
  /** The sales of the query, from page `from` on. @throws InsuranceError */
  sales: Pages<Sale>;
  /** The commissions of the query, from page `from` on. @throws InsuranceError */
  commissions: Pages<Commission>;
}

/** @throws RangeError by its methods when the query's date is no `YYYY-MM-DD` day */
export function organisationAnalytics(account: Account, options: ClientOptions = {}): OrganisationAnalytics {
  const send = createSend(account, {}, options);
  function pagesOf<T extends { id: string }>(
    resource: "sales" | "commissions",
    schema: z.ZodType<T>,
  ): Pages<T> {
    return ({ startDate, endDate, externalIds, perPage } = {}, from = 1) => {
      let sizes = perPage === undefined ? PAGE_SIZES : [perPage];
      return readPages(from, async (page) => {
        for (const day of [startDate, endDate])
          if (day !== undefined && !isIsoDay(day)) throw new RangeError("The query's date is not YYYY-MM-DD");
        const sendWith = (size: number | undefined) =>
          send({
            method: "GET",
            endpoint: `analytics/${resource}`,
            path: `/organizations/analytics/${resource}`,
            query: {
              token: account.token,
              start_date: startDate,
              end_date: endDate,
              external_ids: externalIds,
              page,
              per_page: size,
            },
            read: readPage(schema, resource, page),
            maxBytes: MAX_PAGE_BYTES,
          });
        const [size, smaller] = sizes;
        const read = await sendWith(size).catch((error: unknown) => {
          if (smaller === undefined || !(error instanceof Rejected)) throw error;
          sizes = [smaller];
          return sendWith(smaller);
        });
        const unreadable = { total: read.rows, count: read.rows - read.items.length, reasons: [read.reason] };
        if (unreadable.count > 0)
          options.log?.warn({ page }, `Left out of the import: ${describeRows(resource, unreadable)}`);
        return read;
      });
    };
  }
  const sales = pagesOf("sales", wireSale);
  return {
    verifyToken: async () => {
      await sales({ perPage: 1 })[Symbol.asyncIterator]().next();
    },
    sales,
    commissions: pagesOf("commissions", wireCommission),
  };
}

interface ReadRows<T> {
  items: T[];
  /** with those that cannot be read */
  rows: number;
  /** why one of them cannot be read */
  reason: string;
}

/**
 * Reads until a page is empty, not found or a repetition. The insurer returns no pagination data, and a short page may only mean that
 * it caps `per_page`. A row that moved to the next page meanwhile (a new sale shifts all later rows) is returned once.
 */
async function* readPages<T extends { id: string }>(
  from: number,
  fetchPage: (page: number) => Promise<ReadRows<T>>,
): AsyncGenerator<PageOfRows<T>> {
  let previous: ReadonlySet<string> = new Set();
  let first: ReadonlySet<string> = previous;
  for (let number = from; ; number += 1) {
    const { items, rows } = await fetchPage(number).catch(emptyIfNotFound);
    const ids = new Set(items.map(({ id }) => id));
    // Beyond the end, some insurers repeat the last page, and those without pages the only one.
    if (rows === 0 || (ids.size > 0 && (ids.isSubsetOf(previous) || ids.isSubsetOf(first)))) return;
    const seen = previous;
    yield { number, items: items.filter((item) => !seen.has(item.id)) };
    previous = ids;
    if (number === from) first = ids;
  }
}

/** As of the insurer's other lists, a 404 says that there is nothing; a wrong token is a 401 or 403. */
function emptyIfNotFound(error: unknown): ReadRows<never> {
  if (error instanceof NotFound) return { items: [], rows: 0, reason: "" };
  throw error;
}

/** A hundred rows are 50 kB, and more come where the insurer has a page size of its own. */
const MAX_PAGE_BYTES = megabytes(4);

/** Two million rows, at the import's page size: far beyond any organisation. */
const MAX_PAGES = 20_000;

function readPage<T extends { id: string }>(
  schema: z.ZodType<T>,
  name: "sales" | "commissions",
  page: number,
): Read<ReadRows<T>> {
  return (body, refuse) => {
    const rows = findRows(body, { name });
    if (rows === null) return refuse(`no list of ${name} in it`, null);
    if (page > MAX_PAGES) return refuse(`more than ${MAX_PAGES} pages`, null);
    const items: T[] = [];
    let reason = "";
    for (const row of rows) {
      const result = schema.safeParse(row);
      if (result.success) items.push(result.data);
      else reason = explainIssue(result.error, row, "").reason;
    }
    return { items, rows: rows.length, reason };
  };
}
