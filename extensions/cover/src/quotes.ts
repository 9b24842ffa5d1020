/**
 * An order's quotes, as the order's metafield `$app:quotes` holds them: written by the app's worker
 * (app/quotes/of-orders/update-quotes.server.ts), read by this extension and by the shop's e-mails. Everybody with the
 * address of an order's page sees it: nothing personal is in it.
 */
import { isObject, link, readMetafield, text } from "../../parts.ts";

/** The quote for one uninsured item. */
export interface Quote {
  /** the product's title */
  product: string;
  /** the address that leads to the insurer's page, as long as the quote may be used */
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
  /** where the customer says that they want no quotes; null: there are no quotes */
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

/** The metafield's value, tolerantly: what cannot be read, or has expired by `today`, is left out. Null: no quote. */
export function readQuotes(value: unknown, today: string): OrderQuotes | null {
  const given = readMetafield(value);
  if (!Array.isArray(given?.quotes)) return null;
  const quotes = given.quotes.flatMap(readQuote).filter(({ until }) => until.slice(0, 10) >= today);
  if (quotes.length === 0) return null;
  return { isTest: given.isTest === true, stopUrl: link(given.stopUrl), quotes };
}
