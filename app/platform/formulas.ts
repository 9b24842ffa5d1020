/**
 * Escapes formulas in the cells of files for spreadsheets (OWASP, "CSV injection").
 *
 * A cell may begin at the start of a value, and after any separator of cells or lines: a French spreadsheet splits at
 * semicolons, and then ignores the quotes around a field.
 */
const formulaStart = /(^|[;,|\t\r\n])([\s"']{0,64})(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const plainNumber = /^-?\d+(?:\.\d+)?$/;

/** Escapes text that a spreadsheet would run as a formula, anywhere in the value. Numbers stay unchanged. */
export function escapeFormulas(value: string): string {
  return plainNumber.test(value) ? value : value.replace(formulaStart, "$1$2'");
}
