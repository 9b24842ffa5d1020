/** What a list says of its further pages: by a Link header, a next page, totals, or not at all. */
import type { ReceivedHeaders } from "./response.ts";

export interface NextPage {
  /** false: the list says nothing of pages, but this one is as long as a full page */
  isSaid: boolean;
  /** the insurer's own link, which replaces path and query */
  link?: string;
  query?: Record<string, string>;
}

interface PageWords {
  link: string | null;
  /** a number or a cursor with its parameter */
  query: Record<string, string> | null;
  hasMore: boolean;
  /** 0: unknown */
  total: number;
  /** 0: unknown */
  pages: number;
  /** the number of this page as the list counts; null: unknown */
  number: number | null;
  /** the list says something of pages, if only that there is no further one */
  isSaid: boolean;
}

const TOTALS = [
  "total",
  "totalcount",
  "count",
  "totalitems",
  "totalelements",
  "totalresults",
  "totalrecords",
];
const PAGES = ["totalpages", "pagecount", "pages", "lastpage"];
const NUMBERS = ["page", "currentpage", "pagenumber"];
/** By key: the query parameter of a value that is no link. */
const NEXT: Partial<Record<string, string>> = {
  next: "cursor",
  nextcursor: "cursor",
  nextpage: "page",
  nextlink: "cursor",
  nexturl: "cursor",
  nextpageurl: "cursor",
  nextpagetoken: "page_token",
  nexttoken: "token",
};
/** Page sizes that people choose. A list of exactly that length may be one page of several. */
const USUAL_SIZES = [10, 20, 25, 30, 50, 100, 200, 250, 500, 1_000];

/** Reads what wraps a list: beside it, one level up, or in an object beside it. */
export function sayPages(body: unknown, headers: ReceivedHeaders): PageWords {
  const words: PageWords = {
    link: nextInLinkHeader(headers["link"]),
    query: null,
    hasMore: false,
    total: 0,
    pages: 0,
    number: null,
    isSaid: headers["link"] !== undefined,
  };
  collect(body, words, 3);
  return words;
}

function collect(wrapper: unknown, words: PageWords, depth: number): void {
  if (depth === 0 || typeof wrapper !== "object" || wrapper === null || Array.isArray(wrapper)) return;
  const entries: [string, unknown][] = Object.entries(wrapper);
  for (const [written, value] of entries) {
    // `hydra:totalItems`, `@odata.nextLink` and `total_items` are the same words.
    const key = written
      .replace(/^.*[:.@]/, "")
      .replace(/[_-]/g, "")
      .toLowerCase();
    const parameter = NEXT[key];
    if (TOTALS.includes(key) && isCount(value)) {
      words.total = Math.max(words.total, Number(value));
      words.isSaid = true;
    } else if (PAGES.includes(key) && isCount(value)) {
      words.pages = Math.max(words.pages, Number(value));
      words.isSaid = true;
    } else if (NUMBERS.includes(key) && isCount(value)) words.number = Number(value);
    else if (key === "hasmore" || key === "hasnext") {
      words.hasMore = words.hasMore || value === true || value === "true";
      words.isSaid = true;
    } else if (parameter !== undefined) {
      words.isSaid = true;
      takeNext(addressIn(value), parameter, words);
    } else collect(value, words, depth - 1);
  }
}

const isCount = (value: unknown) =>
  (typeof value === "number" && value >= 0) || (typeof value === "string" && /^\d{1,9}$/.test(value));

/** A next page is an address or a number, or an object with one of them. */
function addressIn(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = new Map<string, unknown>(Object.entries(value));
  return entries.get("href") ?? entries.get("url") ?? entries.get("page") ?? null;
}

function takeNext(value: unknown, parameter: string, words: PageWords): void {
  if (value === true) words.hasMore = true;
  else if (typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value)))
    words.query ??= { [parameter === "cursor" ? "page" : parameter]: String(value) };
  else if (typeof value === "string" && /^(?:https?:\/\/|[/?])/.test(value)) words.link ??= value;
  else if (typeof value === "string" && value !== "") words.query ??= { [parameter]: value };
}

/** The address with rel="next" in a Link header (RFC 8288). */
function nextInLinkHeader(header: string | string[] | undefined): string | null {
  const text = typeof header === "string" ? header : (header ?? []).join(", ");
  for (const [, address, parameters] of text.slice(0, 8_192).matchAll(/<([^<>]*)>([^<]*)/g))
    if (/;\s*rel\s*=\s*(?:"[^"]*\bnext\b[^"]*"|next\b)/i.test(parameters ?? "")) return address ?? null;
  return null;
}

/**
 * @param length rows of this page
 * @param total rows of all pages up to this one
 * @param page number of this page, from 1
 * @param reached what led to this page; null for the first
 * @returns null: there is none
 */
export function findNextPage(
  words: PageWords,
  length: number,
  total: number,
  page: number,
  reached: NextPage | null,
): NextPage | null {
  if (words.link !== null) return { isSaid: true, link: words.link };
  if (words.query !== null) return { isSaid: true, query: words.query };
  const query = { page: String((words.number ?? page) + 1) };
  // Some lists count their pages from 0.
  const lastPage = words.number === 0 || (words.number ?? page) < page ? words.pages - 1 : words.pages;
  if (words.hasMore || words.total > total || lastPage > (words.number ?? page))
    return { isSaid: true, query };
  if (words.isSaid || (reached?.isSaid ?? false)) return null;
  return USUAL_SIZES.includes(length) ? { isSaid: false, query } : null;
}
