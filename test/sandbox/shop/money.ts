/** Minor units and Shopify's decimal strings. */
import { Decimal } from "decimal.js";

const decimalsByCurrency = new Map<string, number>();

/** The number of a currency's decimals: 2 for EUR, 0 for JPY. */
export function decimals(currency: string): number {
  let digits = decimalsByCurrency.get(currency);
  if (digits === undefined) {
    const format = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
    digits = format.maximumFractionDigits ?? 2;
    decimalsByCurrency.set(currency, digits);
  }
  return digits;
}

/** `12.30`: REST payloads and the GraphQL scalar `Money`. */
export function money(minor: number, currency: string): string {
  return new Decimal(minor).div(new Decimal(10).pow(decimals(currency))).toFixed(decimals(currency));
}

/** `12.3`, `12.0`: the scalar `Decimal` of GraphQL's `MoneyV2.amount` drops trailing zeros but one. */
export function decimalAmount(minor: number, currency: string): string {
  const text = new Decimal(minor).div(new Decimal(10).pow(decimals(currency))).toString();
  return text.includes(".") ? text : `${text}.0`;
}

/** Minor units of a decimal string; throws if it has more decimals than the currency. */
export function minorUnits(amount: string, currency: string): number {
  const minor = new Decimal(amount).mul(new Decimal(10).pow(decimals(currency)));
  if (!minor.isInteger()) throw new RangeError(`${amount} has more decimals than ${currency}`);
  return minor.toNumber();
}

/** The same sum in another currency, rounded half up. */
export function convertMoney(minor: number, from: string, to: string, rate: string): number {
  return new Decimal(minor)
    .mul(rate)
    .mul(new Decimal(10).pow(decimals(to) - decimals(from)))
    .toDecimalPlaces(0, Decimal.ROUND_HALF_UP)
    .toNumber();
}
