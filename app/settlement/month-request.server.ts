/** The month and the point of sale in the URL of the settlement. */
import { z } from "zod";
import type { Merchant } from "#app/merchants/merchant.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { addMonths, isMonth, monthOfDay } from "./month.ts";

const search = z.object({
  month: z.string().refine(isMonth).nullable().catch(null),
  store: z.string().max(100).nullable().catch(null),
});

/** The months that the page offers: this one and those since the installation, but at least a year. */
const MIN_MONTHS = 12;

export function readMonthRequest(url: string, merchant: Merchant, now: Date) {
  const { month, store } = search.parse(Object.fromEntries(new URL(url).searchParams));
  const current = monthOfDay(toLocalDay(merchant.timezone, now));
  return { month: month !== null && month <= current ? month : current, storeId: store, current };
}

export function offeredMonths(current: string, merchant: Merchant): string[] {
  const first = monthOfDay(toLocalDay(merchant.timezone, merchant.installedAt));
  const months = [current];
  for (
    let month = addMonths(current, -1);
    month >= first || months.length < MIN_MONTHS;
    month = addMonths(month, -1)
  )
    months.push(month);
  return months;
}
