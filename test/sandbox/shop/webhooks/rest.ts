/** Shared parts of Shopify's REST shapes: ids as numbers, times in the shop's zone, pairs of money. */
import { convertMoney, money } from "../money.ts";
import type { Order } from "../state.ts";

export type Json = Record<string, unknown>;

declare global {
  interface JSON {
    /** ES2026; Node has it, TypeScript's library does not list it yet. */
    rawJSON(text: string): unknown;
  }
}

/** The digits of an id unchanged: a double would alter ids above 2^53. */
export function numericId(id: string): unknown {
  if (!/^\d+$/.test(id)) throw new TypeError(`not a numeric id: ${id}`);
  return JSON.rawJSON(id);
}

/** Creating a format takes far longer than using it. */
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

/** `{shop_money, presentment_money}` @param charged in the customer's currency; default: the converted shop amount */
export function moneySet({ currency, presentment }: Order, minor: number, charged?: number | null) {
  const paid = presentment ?? { currency, rate: "1" };
  const amount = charged ?? convertMoney(minor, currency, paid.currency, paid.rate);
  return {
    shop_money: { amount: money(minor, currency), currency_code: currency },
    presentment_money: { amount: money(amount, paid.currency), currency_code: paid.currency },
  };
}
