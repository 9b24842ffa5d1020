/** French VAT, which prices include. */
import { Decimal } from "decimal.js";

export const vatRate = 0.2;

/** The tax in a sum that includes it, minor units. */
export function includedTax(minor: number): number {
  return new Decimal(minor)
    .mul(vatRate)
    .div(1 + vatRate)
    .toDecimalPlaces(0, Decimal.ROUND_HALF_UP)
    .toNumber();
}
