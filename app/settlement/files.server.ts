/** The files of a month: bordereau and journal, as CSV and as a spreadsheet; and its differences. */
import { z } from "zod";
import type { MerchantSettings } from "#app/merchants/settings.ts";
import { type Cell, csvFile, csvTable, type FileLanguage, xlsxFile } from "#app/platform/csv.server.ts";
import { bordereauRows, type BordereauRow, journalRows, type JournalRow } from "./bookkeeping.ts";
import type { Difference, Shown } from "./difference.ts";
import type { SettlementFacts } from "./settlement-facts.ts";

export const monthFileNames = ["bordereau.csv", "bordereau.xlsx", "journal.csv", "journal.xlsx"] as const;
export const monthFileName = z.enum(monthFileNames);
export type MonthFileName = z.infer<typeof monthFileName>;

export interface MonthFile {
  name: MonthFileName;
  /** as it is downloaded, in the language of its texts */
  fileName: string;
  content: Buffer;
}

const bordereauColumns: Record<string, (row: BordereauRow) => Cell> = {
  date: ({ day }) => day,
  foundOn: ({ foundOn }) => foundOn,
  movement: ({ kind }) => kind,
  planId: ({ contractId }) => contractId,
  order: ({ order }) => order,
  offerReferenceId: ({ referenceId }) => referenceId,
  title: ({ title }) => title,
  movementAmount: ({ amountMinor, currency }) => ({ minor: amountMinor, currency }),
  currencyCode: ({ currency }) => currency,
};

const journalColumns = (
  accounts: MerchantSettings["bookkeeping"],
  { values }: FileLanguage,
): Record<string, (row: JournalRow) => Cell> => ({
  date: ({ day }) => day,
  // Without the merchant's account, the file's own words have its name.
  account: ({ account }) => (accounts[account] === "" ? account : accounts[account]),
  text: ({ kind, contractId, order }) =>
    [values["movement"]?.[kind] ?? kind, contractId, order].filter((part) => part !== null).join(", "),
  debit: ({ debitMinor, currency }) => ({ minor: debitMinor, currency }),
  credit: ({ creditMinor, currency }) => ({ minor: creditMinor, currency }),
  currencyCode: ({ currency }) => currency,
});

export async function monthFiles(
  { month, movements, insurer }: Pick<SettlementFacts, "month" | "movements" | "insurer">,
  accounts: MerchantSettings["bookkeeping"],
  language: FileLanguage,
): Promise<MonthFile[]> {
  const bordereau = bordereauRows(month, movements, insurer?.counted ?? []);
  const journal = journalRows(bordereau);
  const columns = journalColumns(accounts, language);
  const nameOf = (subject: "bordereau" | "journal", format: "csv" | "xlsx") =>
    language.fileName(subject).replace(/\.csv$/, `.${format}`);
  return [
    {
      name: "bordereau.csv",
      fileName: nameOf("bordereau", "csv"),
      content: csvFile(bordereauColumns, bordereau, language),
    },
    {
      name: "bordereau.xlsx",
      fileName: nameOf("bordereau", "xlsx"),
      content: await xlsxFile(month, bordereauColumns, bordereau, language),
    },
    { name: "journal.csv", fileName: nameOf("journal", "csv"), content: csvFile(columns, journal, language) },
    {
      name: "journal.xlsx",
      fileName: nameOf("journal", "xlsx"),
      content: await xlsxFile(month, columns, journal, language),
    },
  ];
}

const shownCell = (value: Shown | null): Cell =>
  value === null ? null : "minor" in value ? value : "day" in value ? value.day : value.text;

const differenceColumns: Record<string, (difference: Difference) => Cell> = {
  difference: ({ kind }) => kind,
  date: ({ day }) => day,
  planId: ({ contractId }) => contractId,
  order: ({ order }) => order?.name ?? null,
  movementAmount: ({ amountMinor, currency }) => ({ minor: amountMinor, currency }),
  currencyCode: ({ currency }) => currency,
  here: ({ here }) => shownCell(here),
  there: ({ there }) => shownCell(there),
};

export const differencesFile = (differences: readonly Difference[], language: FileLanguage): Response =>
  csvTable("differences", differenceColumns, differences, language);

export function downloadOf({
  fileName,
  content,
}: Pick<MonthFile, "fileName"> & { content: Uint8Array }): Response {
  const type = fileName.endsWith(".csv")
    ? "text/csv; charset=utf-8"
    : "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  return new Response(new Uint8Array(content), {
    headers: { "content-type": type, "content-disposition": `attachment; filename="${fileName}"` },
  });
}
