/** What the platform's REST shapes have in common: times in the shop's zone, pairs of money. */
import { convertMoney, money } from "../money.ts";
import type { Order, OrderLine } from "../state.ts";

export type Json = Record<string, unknown>;

/** Making a format takes far longer than formatting. */
const formats = new Map<string, { clock: Intl.DateTimeFormat; offset: Intl.DateTimeFormat }>();

function formatsOf(timeZone: string) {
  let made = formats.get(timeZone);
  if (made === undefined) {
    made = {
      clock: new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }),
      offset: new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }),
    };
    formats.set(timeZone, made);
  }
  return made;
}

/** `2026-11-21T07:10:00+01:00`: REST times are in the shop's time zone. */
export function toShopTime(time: string, timezone: string): string {
  const at = new Date(time);
  const format = formatsOf(timezone);
  const parts = format.clock.format(at).replace(" ", "T");
  const offset = format.offset.formatToParts(at).find(({ type }) => type === "timeZoneName");
  return parts + (offset?.value.replace("GMT", "") || "+00:00");
}

/** `{shop_money, presentment_money}` */
export function moneySet(order: Order, minor: number): Json {
  const of = (amount: number, currency: string): Json => ({
    amount: money(amount, currency),
    currency_code: currency,
  });
  const paid = order.presentment;
  return {
    shop_money: of(minor, order.currency),
    presentment_money:
      paid === null
        ? of(minor, order.currency)
        : of(convertMoney(minor, order.currency, paid.currency, paid.rate), paid.currency),
  };
}

/** The unit price of a line; in the customer's currency it is what was charged, not a conversion. */
export function priceSet(order: Order, line: OrderLine): Json {
  const set = moneySet(order, line.price);
  if (order.presentment === null || line.presentmentPrice === null) return set;
  const { currency } = order.presentment;
  return {
    ...set,
    presentment_money: { amount: money(line.presentmentPrice, currency), currency_code: currency },
  };
}
