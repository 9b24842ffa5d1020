import { toCurrencyUnits } from "#app/platform/money.ts";

/** The product to insure, as it is sent with a plan or a lead. */
export interface NewVariant {
  /** The product's reference (the variant's id: docs/decisions/0003-references.md). */
  referenceId: string;
  /** Price of the product, integer minor units; sent as a float in currency units. */
  priceMinor: number;
  /** ISO 4217 */
  currencyCode: string;
  title: string;
}

/** The variant's JSON for the service. @throws RangeError when the price is not an integer amount */
export function variantBody(value: NewVariant) {
  return {
    reference_id: value.referenceId,
    price: toCurrencyUnits(value.priceMinor, value.currencyCode),
    currency_code: value.currencyCode,
    title: value.title,
  };
}
