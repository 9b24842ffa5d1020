/**
 * The decimal places of currencies by ISO 4217, as Shopify counts them. The runtime's own digits (`Intl`) are for
 * display and change with its version: a stored amount would change a hundredfold.
 */
const OTHER_DIGITS: [digits: number, currencies: string][] = [
  [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
  [3, "BHD IQD JOD KWD LYD OMR TND"],
  [4, "CLF UYW"],
];
const digitsByCurrency = new Map(
  OTHER_DIGITS.flatMap(([digits, currencies]) =>
    currencies.split(" ").map((currency) => [currency, digits] as const),
  ),
);

/** Decimal places of a currency's minor unit: 2 for EUR, 0 for JPY, 3 for KWD. @throws RangeError on a malformed code */
export function minorDigits(currency: string): number {
  if (!/^[A-Z]{3}$/i.test(currency)) throw new RangeError(`Not a currency code: ${currency.slice(0, 10)}`);
  return digitsByCurrency.get(currency.toUpperCase()) ?? 2;
}
