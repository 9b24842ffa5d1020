/**
 * Money inside is integer minor units (cents) plus an ISO 4217 currency code. These functions are the border: they
 * convert to and from the decimal amounts that outside systems use, with exact decimal arithmetic.
 */
import { Decimal } from "decimal.js";

// Half away from zero, as invoices round; 40 digits are more than a double or an amount of MAX_MINOR_UNITS needs.
const Exact = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_UP });

/**
 * The largest amount that is converted, in minor units (ten thousand billion euros). Up to here a double carries
 * every cent of a currency with up to three decimals, so converting there and back changes nothing.
 */
export const MAX_MINOR_UNITS = 1_000_000_000_000_000;

/** The most that is stored: the database keeps amounts in 32 bits. */
export const MAX_STORED_MINOR = 2_147_483_647;

const decimal = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const digitsByCurrency = new Map<string, number>();

/** Decimal places of a currency's minor unit: 2 for EUR, 0 for JPY, 3 for KWD. @throws RangeError on a malformed code */
export function minorDigits(currency: string): number {
  let digits = digitsByCurrency.get(currency);
  if (digits === undefined) {
    const format = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
    digits = format.maximumFractionDigits ?? 2;
    digitsByCurrency.set(currency, digits);
  }
  return digits;
}

/**
 * An amount in currency units (12.9, "12.90") as integer minor units (1290). What is finer than the minor unit is
 * rounded half away from zero.
 * @throws RangeError when the amount is not a finite decimal, or beyond MAX_MINOR_UNITS
 */
export function toMinorUnits(amount: number | string, currency: string): number {
  return within(MAX_MINOR_UNITS, exactMinorUnits(amount, currency));
}

function exactMinorUnits(amount: number | string, currency: string): Decimal {
  if (typeof amount === "number" ? !Number.isFinite(amount) : !decimal.test(amount)) {
    throw new RangeError("The amount is not a decimal number");
  }
  // A number goes through its shortest text (0.1 is 0.1), not through its binary value.
  return new Exact(amount).times(10 ** minorDigits(currency)).round();
}

/**
 * As `toMinorUnits`, of an amount that is to be stored.
 * @throws RangeError also where the database could not keep it
 */
export function toStoredMinorUnits(amount: number | string, currency: string): number {
  return within(MAX_STORED_MINOR, exactMinorUnits(amount, currency));
}

/** The sum of amounts that is to be stored. @throws RangeError where the database could not keep it */
export function sumStoredMinor(amounts: readonly number[]): number {
  const total = amounts.reduce((before, amount) => before + amount, 0);
  if (Math.abs(total) > MAX_STORED_MINOR) throw new RangeError("The amounts are too large together");
  return total;
}

function within(limit: number, minor: Decimal): number {
  if (minor.abs().gt(limit)) throw new RangeError("The amount is too large");
  return minor.toNumber() + 0; // + 0 turns -0 into 0
}

/**
 * As `toMinorUnits`, cut: what is dearer than the most that is stored is as good as that.
 * @throws RangeError where it is no amount
 */
export function toCappedMinorUnits(amount: number | string, currency: string): number {
  return exactMinorUnits(amount, currency).clamp(-MAX_STORED_MINOR, MAX_STORED_MINOR).toNumber() + 0;
}

/** Integer minor units (1290) as a number of currency units (12.9), for interfaces that want a float. @throws RangeError */
export function toCurrencyUnits(minor: number, currency: string): number {
  return inUnits(minor, currency).toNumber();
}

/** Integer minor units (1290) as decimal text with all its places ("12.90"). @throws RangeError */
export function toDecimalText(minor: number, currency: string): string {
  return inUnits(minor, currency).toFixed(minorDigits(currency));
}

function inUnits(minor: number, currency: string): Decimal {
  if (!Number.isInteger(minor) || Math.abs(minor) > MAX_MINOR_UNITS) {
    throw new RangeError("Minor units are integers up to MAX_MINOR_UNITS");
  }
  return new Exact(minor + 0).div(10 ** minorDigits(currency));
}
