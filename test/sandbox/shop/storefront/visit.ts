/**
 * The storefront's context of one request: cart, language, currency, market and theme. Cookies store it, so that a link
 * with `?locale=en`, `?currency=GBP`, `?country=BE`, `?market=belgique` or `?preview_theme=horizon-like` is valid for
 * the rest of the visit.
 */
import { randomUUID } from "node:crypto";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { marketHandle, marketPrice } from "../markets.ts";
import type { Cart, Market, Variant } from "../state.ts";
import type { StorefrontSandbox } from "./sandbox.ts";

export interface Visit {
  sandbox: StorefrontSandbox;
  cart: Cart;
  locale: string;
  /** the currency the shopper sees, and units of it for one of the shop's */
  currency: string;
  rate: number;
  /** undefined: prices are the shop's */
  market: Market | undefined;
  /** ISO 3166-1: where the shopper says they are */
  country: string;
  /** the shopper buys for a company (B2B) */
  isCompany: boolean;
  theme: string;
  /** `routes.root_url`: `/`, or the language or market that the address begins with: `/fr-be` */
  root: string;
  path: string;
  query: URLSearchParams;
  host: string;
}

/** Fixed rates: the stand-in only needs some other currencies. */
const rates: Record<string, number> = { EUR: 1, GBP: 0.85, USD: 1.1, CHF: 0.95 };

export const storefrontLocales = ["fr", "en", "de", "ar"];
/** The prefix of a URL: a language, or a language and a country. */
export const addressPrefix = new RegExp(`^/(${storefrontLocales.join("|")})(-[a-z]{2})?(?=/|$)`);
/** The stand-in's own header with the removed prefix. */
export const ROOT_HEADER = "x-sandbox-root";
export const rightToLeft = new Set(["ar"]);

export function requestVisit(c: Context, sandbox: StorefrontSandbox): Visit {
  const url = new URL(c.req.url);
  const sticky = (name: string, fallback: string): string => {
    const requested = url.searchParams.get(name);
    if (requested !== null) setCookie(c, name, requested, { path: "/" });
    return requested ?? getCookie(c, name) ?? fallback;
  };
  const root = c.req.header(ROOT_HEADER) ?? "/";
  const locale = addressPrefix.exec(root)?.[1] ?? sticky("locale", sandbox.state.locale);
  const currency = sticky("currency", sandbox.state.currency);
  return {
    sandbox,
    cart: cartOf(c, sandbox),
    locale: storefrontLocales.includes(locale) ? locale : sandbox.state.locale,
    currency: currency in rates ? currency : sandbox.state.currency,
    rate: (rates[currency] ?? 1) / (rates[sandbox.state.currency] ?? 1),
    market: marketOf(sandbox, sticky("market", "")),
    country: sticky("country", sandbox.state.country),
    isCompany: sticky("company", "") !== "",
    theme: sticky("preview_theme", sandbox.state.theme.name),
    root,
    path: url.pathname,
    query: url.searchParams,
    host: url.host,
  };
}

function marketOf({ state }: StorefrontSandbox, handle: string): Market | undefined {
  return state.markets.find((market) => market.active && marketHandle(market) === handle);
}

/** The visitor's cart; a new one sets its cookie at once, as on Shopify. */
function cartOf(c: Context, { state }: StorefrontSandbox): Cart {
  const known = state.carts.get(getCookie(c, "cart") ?? "");
  if (known !== undefined) return known;
  const cart: Cart = { token: randomUUID().replaceAll("-", ""), note: "", attributes: {}, lines: [] };
  state.carts.set(cart.token, cart);
  setCookie(c, "cart", cart.token, { path: "/", httpOnly: true, sameSite: "Lax" });
  return cart;
}

/** This visitor's price of a variant, in minor units. */
export function variantPrice(visit: Visit, variant: Variant): number {
  return presentmentPrice(visit, marketPrice(visit.market, variant));
}

/** A shop amount in this visitor's currency, in minor units. */
export function presentmentPrice(visit: Visit, minor: number): number {
  return Math.round(minor * visit.rate);
}
