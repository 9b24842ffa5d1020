/** French VAT, included in prices or added to them. */
import { Decimal } from "decimal.js";

export const vatRate = 0.2;

/** The tax in a sum that includes it, minor units. */
function includedTax(minor: number): number {
  return new Decimal(minor)
    .mul(vatRate)
    .div(1 + vatRate)
    .toDecimalPlaces(0, Decimal.ROUND_HALF_UP)
    .toNumber();
}

/** The tax on a sum, in minor units: a part of it if prices include taxes, else an addition. */
export function taxOn(minor: number, { taxesIncluded }: { taxesIncluded: boolean }): number {
  if (taxesIncluded) return includedTax(minor);
  return new Decimal(minor).mul(vatRate).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toNumber();
}
