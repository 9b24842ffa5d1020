/** Minor units and Shopify's decimal strings. */
import { Decimal } from "decimal.js";
import { minorDigits } from "../../../extensions/currency-digits.ts";

/** `12.30`: REST payloads and the GraphQL scalar `Money`. */
export function money(minor: number, currency: string): string {
  return new Decimal(minor).div(new Decimal(10).pow(minorDigits(currency))).toFixed(minorDigits(currency));
}

/** `12.3`, `12.0`: the scalar `Decimal` of GraphQL's `MoneyV2.amount` drops trailing zeros but one. */
export function decimalAmount(minor: number, currency: string): string {
  const text = new Decimal(minor).div(new Decimal(10).pow(minorDigits(currency))).toString();
  return text.includes(".") ? text : `${text}.0`;
}

/** Minor units of a decimal string; throws if it has more decimals than the currency. */
export function minorUnits(amount: string, currency: string): number {
  const minor = new Decimal(amount).mul(new Decimal(10).pow(minorDigits(currency)));
  if (!minor.isInteger()) throw new RangeError(`${amount} has more decimals than ${currency}`);
  return minor.toNumber();
}

/** The same sum in another currency, rounded half up. */
export function convertMoney(minor: number, from: string, to: string, rate: string): number {
  return new Decimal(minor)
    .mul(rate)
    .mul(new Decimal(10).pow(minorDigits(to) - minorDigits(from)))
    .toDecimalPlaces(0, Decimal.ROUND_HALF_UP)
    .toNumber();
}
