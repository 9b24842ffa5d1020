/**
 * An order's quotes in the order's metafield `$app:quotes`. The app's worker writes it
 * (app/quotes/of-orders/update-quotes.server.ts); this extension and the shop's e-mails read it. Every person with the
 * URL of the order's page can see it, so it holds no personal data.
 */
import { isObject, link, readMetafield, text } from "../../parts.ts";

/** The quote for one uninsured item. */
export interface Quote {
  /** the product's title */
  product: string;
  /** URL that redirects to the insurer's page while the quote is valid */
  url: string;
  /** the last day, YYYY-MM-DD */
  until: string;
  /** the lowest price among its offers, in minor units of the currency */
  fromMinor: number;
  currency: string;
  /** the lowest price is a monthly one */
  monthly: boolean;
}

export interface OrderQuotes {
  /** quotes of the insurer's test environment insure nothing */
  isTest: boolean;
  /** page where the customer declines all quotes; null: no quotes */
  stopUrl: string | null;
  quotes: Quote[];
}

function readQuote(value: unknown): Quote[] {
  if (!isObject(value)) return [];
  const [product, url, until, currency] = [
    text(value.product),
    link(value.url),
    text(value.until),
    text(value.currency),
  ];
  const { fromMinor } = value;
  if (!product || !url || !until || !currency || typeof fromMinor !== "number") return [];
  return [{ product, url, until, fromMinor, currency, monthly: value.monthly === true }];
}

/**
 * Parses the metafield leniently: unreadable quotes, and those that expired before `today`, are skipped. Null: no
 * quote.
 */
export function readQuotes(value: unknown, today: string): OrderQuotes | null {
  const given = readMetafield(value);
  if (!Array.isArray(given?.quotes)) return null;
  const quotes = given.quotes.flatMap(readQuote).filter(({ until }) => until.slice(0, 10) >= today);
  if (quotes.length === 0) return null;
  return { isTest: given.isTest === true, stopUrl: link(given.stopUrl), quotes };
}
