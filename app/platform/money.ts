/**
 * Inside the app, money is integer minor units (cents) and an ISO 4217 currency code. These functions convert to and
 * from the decimal amounts of external systems, with exact decimal arithmetic.
 */
import { Decimal } from "decimal.js";
import { minorDigits } from "../../extensions/currency-digits.ts";

// Rounds half away from zero, like invoices. 40 digits are more than a double or MAX_MINOR_UNITS needs.
const Exact = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_UP });

/**
 * The largest amount that is converted, in minor units (ten thousand billion euros). Up to this amount a double is
 * exact to the cent in currencies with up to three decimals, so converting there and back changes nothing.
 */
export const MAX_MINOR_UNITS = 1_000_000_000_000_000;

/** The maximum stored amount: the database has 32 bits for it. */
export const MAX_STORED_MINOR = 2_147_483_647;

const decimal = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;

/**
 * Converts an amount in currency units (12.9, "12.90") to integer minor units (1290). It rounds half away from zero.
 * @throws RangeError if the amount is not a finite decimal, or exceeds MAX_MINOR_UNITS
 */
export function toMinorUnits(amount: number | string, currency: string): number {
  return within(MAX_MINOR_UNITS, exactMinorUnits(amount, currency));
}

function exactMinorUnits(amount: number | string, currency: string): Decimal {
  if (typeof amount === "number" ? !Number.isFinite(amount) : !decimal.test(amount)) {
    throw new RangeError("The amount is not a decimal number");
  }
  // A number is converted through its shortest text (0.1 is 0.1), not through its binary value.
  return new Exact(amount).times(10 ** minorDigits(currency)).round();
}

/**
 * Like `toMinorUnits`, for an amount to be stored.
 * @throws RangeError also if the database cannot store it
 */
export function toStoredMinorUnits(amount: number | string, currency: string): number {
  return within(MAX_STORED_MINOR, exactMinorUnits(amount, currency));
}

/** The sum of amounts to be stored. @throws RangeError if the database cannot store it */
export function sumStoredMinor(amounts: readonly number[]): number {
  const total = amounts.reduce((before, amount) => before + amount, 0);
  if (Math.abs(total) > MAX_STORED_MINOR) throw new RangeError("The sum of the amounts is too large");
  return total;
}

function within(limit: number, minor: Decimal): number {
  if (minor.abs().gt(limit)) throw new RangeError("The amount is too large");
  return minor.toNumber() + 0; // + 0 turns -0 into 0
}

/**
 * Like `toMinorUnits`, but an amount above the maximum stored amount becomes that maximum.
 * @throws RangeError if it is no amount
 */
export function toCappedMinorUnits(amount: number | string, currency: string): number {
  return exactMinorUnits(amount, currency).clamp(-MAX_STORED_MINOR, MAX_STORED_MINOR).toNumber() + 0;
}

/** Integer minor units (1290) as a number of currency units (12.9), for interfaces with floats. @throws RangeError */
export function toCurrencyUnits(minor: number, currency: string): number {
  return inUnits(minor, currency).toNumber();
}

/** Integer minor units (1290) as decimal text with all decimal places ("12.90"). @throws RangeError */
export function toDecimalText(minor: number, currency: string): string {
  return inUnits(minor, currency).toFixed(minorDigits(currency));
}

function inUnits(minor: number, currency: string): Decimal {
  if (!Number.isInteger(minor) || Math.abs(minor) > MAX_MINOR_UNITS) {
    throw new RangeError("Minor units are integers up to MAX_MINOR_UNITS");
  }
  return new Exact(minor + 0).div(10 ** minorDigits(currency));
}
