/**
 * One request as the storefront sees it: which cart, language, currency and theme. Kept in cookies, so that a link with
 * `?locale=en`, `?currency=GBP` or `?preview_theme=horizon-like` holds for the rest of the visit.
 */
import { randomUUID } from "node:crypto";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { Cart } from "../state.ts";
import type { StorefrontSandbox } from "./sandbox.ts";

export interface Visit {
  sandbox: StorefrontSandbox;
  cart: Cart;
  locale: string;
  /** the currency the shopper sees, and units of it for one of the shop's */
  currency: string;
  rate: number;
  theme: string;
  path: string;
  query: URLSearchParams;
  host: string;
}

/** Fixed rates: the stand-in only needs other currencies to exist. */
const rates: Record<string, number> = { EUR: 1, GBP: 0.85, USD: 1.1, CHF: 0.95 };

export const storefrontLocales = ["fr", "en", "de", "ar"];
export const rightToLeft = new Set(["ar"]);

export function requestVisit(c: Context, sandbox: StorefrontSandbox): Visit {
  const url = new URL(c.req.url);
  const sticky = (name: string, fallback: string): string => {
    const asked = url.searchParams.get(name);
    if (asked !== null) setCookie(c, name, asked, { path: "/" });
    return asked ?? getCookie(c, name) ?? fallback;
  };
  const locale = sticky("locale", sandbox.state.locale);
  const currency = sticky("currency", sandbox.state.currency);
  return {
    sandbox,
    cart: cartOf(c, sandbox),
    locale: storefrontLocales.includes(locale) ? locale : sandbox.state.locale,
    currency: currency in rates ? currency : sandbox.state.currency,
    rate: (rates[currency] ?? 1) / (rates[sandbox.state.currency] ?? 1),
    theme: sticky("preview_theme", sandbox.state.theme.name),
    path: url.pathname,
    query: url.searchParams,
    host: url.host,
  };
}

/** The visitor's cart; a new one gets its cookie at once, as on the platform. */
function cartOf(c: Context, { state }: StorefrontSandbox): Cart {
  const known = state.carts.get(getCookie(c, "cart") ?? "");
  if (known !== undefined) return known;
  const cart: Cart = { token: randomUUID().replaceAll("-", ""), note: "", attributes: {}, lines: [] };
  state.carts.set(cart.token, cart);
  setCookie(c, "cart", cart.token, { path: "/", httpOnly: true, sameSite: "Lax" });
  return cart;
}

/** A price of the shop as this visitor sees it, minor units. */
export function presentmentPrice(visit: Visit, minor: number): number {
  return Math.round(minor * visit.rate);
}
