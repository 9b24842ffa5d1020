/** What the platform's events mean for the catalogue. */
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { db } from "#app/platform/db.server.ts";
import { startRun } from "./runs.server.ts";

/** After `shop/update`: where the currency changed, everything is checked again; what no longer fits is unpublished. */
export async function handleShopCurrency(shop: string): Promise<void> {
  const merchant = await findMerchant(shop);
  if (!merchant) return;
  const { currency } = merchant;
  const cured = await db.reference.count({
    where: { shop, state: "offered", problem: "currency", currency },
  });
  const broken = await db.reference.count({
    where: { shop, state: "offered", problem: null, currency: { not: currency } },
  });
  if (cured + broken > 0) await startRun(shop, "catalogue", "currency");
}
