/**
 * Formulas in the cells of files that people open in a spreadsheet (OWASP, "CSV injection").
 *
 * A cell may begin at the start of a value, and after what separates cells or lines: a French spreadsheet splits at
 * semicolons, and then knows nothing of the quotes around a field.
 */
const formulaStart = /(^|[;,|\t\r\n])([\s"']{0,64})(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const plainNumber = /^-?\d+(?:\.\d+)?$/;

/** Escapes what a spreadsheet would run as a formula, anywhere in the value. Numbers stay as they are. */
export function escapeFormulas(value: string): string {
  return plainNumber.test(value) ? value : value.replace(formulaStart, "$1$2'");
}
