/** Shopify's money formats. Prices in Liquid are hundredths in every currency. */

const formats: Record<string, string> = {
  EUR: "{{amount_with_space_separator}} €",
  GBP: "£{{amount}}",
  USD: "${{amount}}",
  CHF: "CHF {{amount}}",
};

export function moneyFormat(currency: string): string {
  return formats[currency] ?? `{{amount}} ${currency}`;
}

export function formatMoney(hundredths: number, format: string): string {
  const amount = (hundredths / 100).toFixed(2);
  const [whole = "0", cents = "00"] = amount.split(".");
  const grouped = (separator: string) => whole.replace(/\B(?=(\d{3})+$)/g, separator);
  return format.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => {
    if (name === "amount") return `${grouped(",")}.${cents}`;
    if (name === "amount_with_space_separator") return `${grouped("\u00a0")},${cents}`;
    if (name === "amount_with_comma_separator") return `${grouped(".")},${cents}`;
    throw new Error(`Unknown money format ${name}`);
  });
}
