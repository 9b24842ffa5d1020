/**
 * The organisation analytics (spec, "Endpoints" 10 and 11, note 7): sales and commissions over all points of sale of
 * one organisation. The organisation's token travels in the query string, as the specification has it; the query
 * string is in no error and in no log.
 */
import type { Commission } from "./commission.ts";
import { isIsoDay } from "./dates.ts";
import { createHttpClient, type ClientOptions } from "./http-client.server.ts";
import { listOf } from "./list-request.server.ts";
import type { ListItems } from "./lists.ts";
import { ResponseValidationError } from "./response-reader.ts";
import type { Sale } from "./sale.ts";

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
  /** Items per request, default 100 (the service's own default is 25; its maximum is not shown). */
  perPage?: number;
}

export interface PageOfRows<T> {
  /** From 1. */
  number: number;
  items: T[];
}

/** Pages are fetched as they are consumed; memory holds one. They end with the first empty page. */
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
export function organisationAnalytics(
  account: OrganisationAccount,
  options: ClientOptions = {},
): OrganisationAnalytics {
  const { send } = createHttpClient(account, {}, options);
  const pagesOf =
    <Name extends "sales" | "commissions">(resource: Name): Pages<ListItems[Name]> =>
    (query = {}, from = 1) =>
      readPages(from, (page, previous) =>
        send({
          method: "GET",
          endpoint: `analytics/${resource}`,
          path: `/organizations/analytics/${resource}`,
          query: parameters(account.token, query, page),
          ...listOf(resource, MAX_PAGE_BYTES, (items) => {
            if (page > MAX_PAGES) throw new ResponseValidationError(`more than ${MAX_PAGES} pages`, null);
            return unlessRepeated(items, previous, page);
          }),
        }),
      );
  const sales = pagesOf("sales");

  return {
    verifyToken: async () => {
      await sales({ perPage: 1 })[Symbol.asyncIterator]().next();
    },
    sales,
    commissions: pagesOf("commissions"),
  };
}

/**
 * Reads until a page is empty. The service returns no pagination data, and a short page may only mean that it caps
 * `per_page`. A row that moved to the next page meanwhile (a new sale shifts all later rows) is returned once.
 */
async function* readPages<T extends { id: string }>(
  from: number,
  fetchPage: (page: number, previous: ReadonlySet<string>) => Promise<T[]>,
): AsyncGenerator<PageOfRows<T>> {
  let previous: ReadonlySet<string> = new Set();
  for (let number = from; ; number += 1) {
    const items = await fetchPage(number, previous);
    if (items.length === 0) return;
    const seen = previous;
    yield { number, items: items.filter(({ id }) => !seen.has(id)) };
    previous = new Set(items.map(({ id }) => id));
  }
}

/** A hundred rows are 50 kB, and more come where the service has a page size of its own. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Two million rows, at the import's page size: far beyond any organisation. */
const MAX_PAGES = 20_000;

/** A page that only repeats the one before it would be followed by repetitions for ever. */
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
  { startDate, perPage = 100 }: AnalyticsQuery,
  page: number,
): URLSearchParams {
  const query = new URLSearchParams({ token });
  if (startDate !== undefined) {
    if (!isIsoDay(startDate)) throw new RangeError("The query's date is not YYYY-MM-DD");
    query.set("start_date", startDate);
  }
  query.set("page", String(page));
  query.set("per_page", String(perPage));
  return query;
}
