/** Dates and prices as the admin's pages write them. */
import { money } from "../money.ts";
import type { ShopSandbox } from "../sandbox.ts";

export function date(shop: ShopSandbox, time: string): string {
  return new Intl.DateTimeFormat(shop.state.locale, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: shop.state.timezone,
  }).format(new Date(time));
}

export function price(shop: ShopSandbox, minor: number): string {
  return new Intl.NumberFormat(shop.state.locale, {
    style: "currency",
    currency: shop.state.currency,
  }).format(Number(money(minor, shop.state.currency)));
}
