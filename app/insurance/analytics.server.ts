/**
 * The organisation analytics (spec, "Endpoints" 10 and 11, note 7): sales and commissions over all points of sale of
 * one organisation. The organisation's token travels in the query string, as the specification has it; the query
 * string is in no error and in no log.
 */
import { commission, type Commission } from "./commission.ts";
import { isIsoDay } from "./dates.ts";
import { createHttpClient, type ClientOptions } from "./http-client.server.ts";
import { ResponseValidationError, listReader } from "./response-reader.ts";
import { sale, type Sale } from "./sale.ts";

export interface OrganisationAccount {
  baseUrl: string;
  /** The organisation's token. */
  token: string;
  /** Scope of the circuit breaker and the concurrency limit. */
  key: string;
}

interface AnalyticsQuery {
  /** `YYYY-MM-DD`, inclusive. */
  startDate?: string;
  /** `YYYY-MM-DD`, inclusive. */
  endDate?: string;
  /** Only the points of sale with these external identifiers. */
  externalIds?: string[];
  /** Items per request, default 100 (the service's own default is 25; its maximum is not shown). */
  perPage?: number;
}

export interface AnalyticsOptions extends ClientOptions {
  /**
   * How a list travels in the query: `external_ids=a&external_ids=b` (default) or `external_ids[]=a&external_ids[]=b`.
   * The specification declares an array and does not show its form.
   */
  arrays?: "repeated" | "brackets";
}

export interface OrganisationAnalytics {
  /** All sales of the query, page by page as they are consumed; memory holds one page. @throws InsuranceError */
  sales(query?: AnalyticsQuery): AsyncIterable<Sale>;
  /** All commissions of the query, page by page as they are consumed. @throws InsuranceError */
  commissions(query?: AnalyticsQuery): AsyncIterable<Commission>;
  /** One page, from 1; beyond the last page it is empty. @throws InsuranceError */
  salesPage(query: AnalyticsQuery, page: number): Promise<Sale[]>;
  /** One page, from 1; beyond the last page it is empty. @throws InsuranceError */
  commissionsPage(query: AnalyticsQuery, page: number): Promise<Commission[]>;
}

/** @throws RangeError by its methods when a date of the query is no `YYYY-MM-DD` day or the period is reversed */
export function organisationAnalytics(
  account: OrganisationAccount,
  options: AnalyticsOptions = {},
): OrganisationAnalytics {
  const { send } = createHttpClient(account, {}, options);
  const pageOf =
    <T extends { id: string }>(resource: string, read: (body: unknown) => T[]) =>
    (query: AnalyticsQuery, page: number, previous: ReadonlySet<string> = new Set()): Promise<T[]> =>
      send({
        method: "GET",
        path: `/organizations/analytics/${resource}`,
        query: parameters(account.token, query, page, options.arrays ?? "repeated"),
        read: (body) => unlessRepeated(read(body), previous, page),
      });
  const salesPage = pageOf("sales", listReader(sale, "sales"));
  const commissionsPage = pageOf("commissions", listReader(commission, "commissions"));

  return {
    sales: (query = {}) => walk((page, previous) => salesPage(query, page, previous)),
    commissions: (query = {}) => walk((page, previous) => commissionsPage(query, page, previous)),
    salesPage: (query, page) => salesPage(query, page),
    commissionsPage: (query, page) => commissionsPage(query, page),
  };
}

/**
 * Walks until a page is empty: no pagination data is shown, and a page that is shorter than asked for may only mean that
 * the service caps `per_page`. A row that moved to the next page meanwhile (a sale made during the walk shifts all
 * later ones) is given once.
 */
async function* walk<T extends { id: string }>(
  fetchPage: (page: number, previous: ReadonlySet<string>) => Promise<T[]>,
): AsyncGenerator<T> {
  let previous: ReadonlySet<string> = new Set();
  for (let page = 1; ; page += 1) {
    const items = await fetchPage(page, previous);
    if (items.length === 0) return;
    for (const item of items) if (!previous.has(item.id)) yield item;
    previous = new Set(items.map((item) => item.id));
  }
}

/** A page that only repeats the one before it would be walked for ever. */
function unlessRepeated<T extends { id: string }>(
  items: T[],
  previous: ReadonlySet<string>,
  page: number,
): T[] {
  const ids = [...previous];
  if (ids.length > 0 && ids.length === items.length && items.every((item, index) => item.id === ids[index])) {
    throw new ResponseValidationError(`page ${page} repeats page ${page - 1}`, null);
  }
  return items;
}

function parameters(
  token: string,
  { startDate, endDate, externalIds = [], perPage = 100 }: AnalyticsQuery,
  page: number,
  arrays: "repeated" | "brackets",
): URLSearchParams {
  for (const day of [startDate, endDate]) {
    if (day !== undefined && !isIsoDay(day)) throw new RangeError("A date of the query is not YYYY-MM-DD");
  }
  if (startDate !== undefined && endDate !== undefined && startDate > endDate) {
    throw new RangeError("The query's period ends before it starts");
  }
  const query = new URLSearchParams({ token });
  if (startDate !== undefined) query.set("start_date", startDate);
  if (endDate !== undefined) query.set("end_date", endDate);
  for (const id of externalIds) query.append(arrays === "brackets" ? "external_ids[]" : "external_ids", id);
  query.set("page", String(page));
  query.set("per_page", String(perPage));
  return query;
}
