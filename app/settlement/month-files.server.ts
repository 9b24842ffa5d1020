/** The files of a month to download: the stored ones of a closed month, else as the books are now. Its differences are always those of now. */
import type { Merchant } from "#app/merchants/merchant.ts";
import { readMerchantSettings } from "#app/merchants/settings.server.ts";
import type { FileLanguage } from "#app/platform/csv.server.ts";
import { notFound } from "#app/platform/form.server.ts";
import { readClosedFile } from "./close-month.server.ts";
import { differencesFile, downloadOf, type MonthFileName, monthFiles } from "./files.server.ts";
import { readMonth } from "./read-month.server.ts";
import { settle } from "./settlement.ts";

export async function fileOfMonth(
  merchant: Merchant,
  month: string,
  name: MonthFileName,
  language: FileLanguage,
): Promise<Response> {
  const stored = await readClosedFile(merchant, month, name);
  if (stored) return downloadOf(stored);
  const { bookkeeping } = await readMerchantSettings(merchant.shop);
  const { facts } = await readMonth(merchant, { month, storeId: null }, new Date());
  const files = await monthFiles(facts, bookkeeping, language);
  const file = files.find((each) => each.name === name);
  return file ? downloadOf(file) : notFound();
}

export async function differencesOfMonth(
  merchant: Merchant,
  request: { month: string; storeId: string | null },
  language: FileLanguage,
): Promise<Response> {
  const { facts } = await readMonth(merchant, request, new Date());
  return differencesFile(settle(facts).differences, language);
}
