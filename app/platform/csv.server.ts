/**
 * CSV files for the merchant's spreadsheet, streamed row by row. Separator, decimal sign, headers and states follow
 * the admin's language, times the shop's time zone.
 */
import { Readable, pipeline } from "node:stream";
import { createReadableStreamFromReadable } from "@remix-run/node";
import { type Options, stringify } from "csv-stringify";
import { stringify as stringifyAll } from "csv-stringify/sync";
import writeXlsx, { type Row } from "write-excel-file/node";
import { minorDigits } from "../../extensions/currency-digits.ts";
import { escapeFormulas } from "./formulas.ts";
import type { Locale } from "./locale.ts";
import { log } from "./log.server.ts";
import { toCurrencyUnits, toDecimalText } from "./money.ts";

/** What a file holds; its name says it in the merchant's language. */
export type FileSubject =
  | "orders"
  | "statement"
  | "tasks"
  | "history"
  | "attachment"
  | "sales"
  | "commissions"
  | "bordereau"
  | "journal"
  | "differences";

/** The format of a file for one merchant; its texts are in files.json of app/locales. */
export interface FileLanguage {
  locale: Locale;
  timezone: string;
  /** says what, which shop and which period: `ventes-lumen-2026-11.csv` */
  fileName: (subject: FileSubject) => string;
  /** the column titles, by the column's name in the export */
  columns: Partial<Record<string, string>>;
  /** the texts of a column's codes: states, kinds, yes and no */
  values: Partial<Record<string, Partial<Record<string, string>>>>;
}

interface Amount {
  minor: number | null;
  currency: string | null;
}

/** null is an empty cell */
export type Cell = string | number | boolean | Date | Amount | null;

/** Excel splits a French file at semicolons and reads a comma as the decimal sign. */
const separators: Record<Locale, { cell: string; decimal: string }> = {
  en: { cell: ",", decimal: "." },
  fr: { cell: ";", decimal: "," },
};

/** Streams a CSV file with one row per item. @param columns their names, and how to read a cell from an item */
export function csvTable<Item>(
  subject: FileSubject,
  columns: Record<string, (item: Item) => Cell>,
  items: AsyncIterable<Item> | Iterable<Item>,
  language: FileLanguage,
): Response {
  const fileName = language.fileName(subject);
  const write = cellWriter(language);
  const rows = async function* () {
    for await (const item of items) {
      yield Object.entries(columns).map(([name, read]) => write(name, read(item)));
    }
  };
  const file = stringify(csvOptions(columns, language));
  // An error breaks the connection, because an incomplete file must not look complete.
  pipeline(Readable.from(rows()), file, (error) => {
    if (error) log.warn({ err: error, fileName }, "Failed to export the file: it ended early");
  });
  return new Response(createReadableStreamFromReadable(file), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${fileName}"`,
    },
  });
}

const titlesOf = (columns: object, language: FileLanguage): string[] =>
  Object.keys(columns).map((name) => language.columns[name] ?? name);

const csvOptions = (columns: object, language: FileLanguage): Options => ({
  header: true,
  columns: titlesOf(columns, language),
  bom: true,
  delimiter: separators[language.locale].cell,
});

/** The same file at once, to be kept. */
export function csvFile<Item>(
  columns: Record<string, (item: Item) => Cell>,
  items: readonly Item[],
  language: FileLanguage,
): Buffer {
  const write = cellWriter(language);
  const rows = items.map((item) => Object.entries(columns).map(([name, read]) => write(name, read(item))));
  return Buffer.from(stringifyAll(rows, csvOptions(columns, language)));
}

/** The same rows as a spreadsheet: amounts are numbers with the decimals of their currency. */
export async function xlsxFile<Item>(
  sheet: string,
  columns: Record<string, (item: Item) => Cell>,
  items: readonly Item[],
  language: FileLanguage,
): Promise<Buffer> {
  const write = cellWriter(language);
  const cellOf = (name: string, cell: Cell): Row[number] => {
    if (typeof cell === "number") return { value: cell };
    if (typeof cell !== "object" || cell === null || cell instanceof Date)
      return { value: write(name, cell), type: String };
    const { minor, currency } = cell;
    if (minor === null || currency === null) return null;
    const digits = minorDigits(currency);
    return {
      value: toCurrencyUnits(minor, currency),
      type: Number,
      format: digits === 0 ? "0" : `0.${"0".repeat(digits)}`,
    };
  };
  const head: Row = titlesOf(columns, language).map((value) => ({ value, fontWeight: "bold" }));
  const rows = items.map((item) => Object.entries(columns).map(([name, read]) => cellOf(name, read(item))));
  return writeXlsx([head, ...rows], { sheet }).toBuffer();
}

function cellWriter({ locale, timezone, values }: FileLanguage): (column: string, cell: Cell) => string {
  const inDecimals = (text: string) => text.replace(".", separators[locale].decimal);
  // Spreadsheets in both languages read `2026-03-31 14:05` as a time.
  const time = new Intl.DateTimeFormat("sv-SE", {
    dateStyle: "short",
    timeStyle: "short",
    timeZone: timezone,
  });
  return (column, cell) => {
    if (cell === null) return "";
    if (typeof cell === "number") return inDecimals(String(cell));
    if (cell instanceof Date) return time.format(cell);
    if (typeof cell === "object") {
      const { minor, currency } = cell;
      return minor === null || currency === null ? "" : inDecimals(toDecimalText(minor, currency));
    }
    const code = String(cell);
    const words = values[column];
    return (words && Object.hasOwn(words, code) ? words[code] : undefined) ?? escapeFormulas(code);
  };
}
