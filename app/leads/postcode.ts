/** Which postcodes a country can have, for the countries next to France, its own territories and some larger ones. */

const digits = (count: number) => new RegExp(`^\\d{${count}}$`);
const overseas = /^9[78]\d{3}$/;

/** By ISO 3166-1 alpha-2; spaces are taken out before (Universal Postal Union, "Addressing systems"). */
const formats: Partial<Record<string, RegExp>> = {
  FR: /^(0[1-9]|[1-8]\d|9[0-8])\d{3}$/,
  MC: /^980\d{2}$/,
  ...Object.fromEntries(
    ["GP", "MQ", "GF", "RE", "YT", "PM", "BL", "MF", "NC", "PF", "WF"].map((code) => [code, overseas]),
  ),
  ...{ BE: digits(4), CH: digits(4), LU: /^(L-?)?\d{4}$/i, AT: digits(4), DK: digits(4) },
  ...{ DE: digits(5), ES: digits(5), IT: digits(5), PT: /^\d{4}-?\d{3}$/, PL: /^\d{2}-?\d{3}$/ },
  NL: /^\d{4}[a-z]{2}$/i,
  GB: /^[a-z]{1,2}\d[a-z\d]?\d[a-z]{2}$/i,
  US: /^\d{5}(-?\d{4})?$/,
};

/** Whether such a postcode can exist there. Of a country that is not known here, what has a letter or digit can. */
export function isPostcode(postcode: string, country: string): boolean {
  const format = formats[country] ?? /^[\p{L}\p{N}-]{2,12}$/u;
  return format.test(postcode.replace(/\s/g, ""));
}
