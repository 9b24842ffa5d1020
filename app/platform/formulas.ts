/**
 * Escapes formulas in the cells of files for spreadsheets (OWASP, "CSV injection").
 *
 * A cell may begin at the start of a value, and after any separator of cells or lines: a French spreadsheet splits at
 * semicolons, and then ignores the quotes around a field. Some spreadsheets drop invisible characters before the sign:
 * control and format characters (zero-width space, byte order mark, direction marks), fillers and variation selectors.
 */
const formulaStart =
  /(^|[;,|\t\r\n])((?:[\s"'\p{C}\p{Mn}\p{Default_Ignorable_Code_Point}\u2800]){0,64})(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;
const plainNumber = /^-?\d+(?:\.\d+)?$/;

/** Escapes text that a spreadsheet would run as a formula, anywhere in the value. Numbers stay unchanged. */
export function escapeFormulas(value: string): string {
  return plainNumber.test(value) ? value : value.replace(formulaStart, "$1$2'");
}
