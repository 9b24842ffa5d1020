/** Whether the offers of a shop would name two deadlines for withdrawing: the setting's, and that of a legal text. */
import { listOfferedCategories } from "#app/catalogue/references/look-up.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import type { StorefrontSettings } from "./storefront-settings.ts";
import { namesOtherDays } from "./text-gaps.ts";

export async function hasTwoDeadlines(
  { shop, environment }: Pick<Merchant, "shop" | "environment">,
  { texts }: Pick<StorefrontSettings, "texts">,
  days: number,
): Promise<boolean> {
  const offered = await listOfferedCategories(shop, environment);
  return namesOtherDays(
    [
      ...[...offered.values()].map(({ category }) => category.marketing.modal.legalText),
      ...Object.values(texts).map(({ legal }) => legal ?? ""),
    ],
    days,
  );
}

/** The days that offers name. 0: a legal text names others, and it alone speaks of a deadline. */
export const shownWithdrawalDays = async (
  merchant: Pick<Merchant, "shop" | "environment">,
  settings: Pick<StorefrontSettings, "texts">,
  days: number,
): Promise<number> => ((await hasTwoDeadlines(merchant, settings, days)) ? 0 : days);
