/** Whether the lines of contracts are fulfilled in a merchant's shop: the setting, and the scope that it needs. */
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { includesFulfilment } from "#app/shopify/fulfilment.ts";
import { readGrantedScopes } from "#app/shopify/granted-scopes.server.ts";
import { updateSessionScopes } from "#app/shopify/sessions.server.ts";
import { readMerchantSettings } from "./settings.server.ts";

/** Whether the shop `o.shop` of another statement has granted the scope. */
export const canFulfilColumn = Prisma.sql`
  COALESCE((SELECT m."canFulfil" FROM "Merchant" AS m WHERE m.shop = o.shop), false)`;

/** `off`: the merchant does not want it; `no_permission`: the scope is missing. */
export type FulfilmentMode = "on" | "off" | "no_permission";

export async function readFulfilmentMode(shop: string): Promise<FulfilmentMode> {
  const [{ fulfilsPlans }, merchant] = await Promise.all([
    readMerchantSettings(shop),
    db.merchant.findUnique({ where: { shop }, select: { canFulfil: true } }),
  ]);
  if (!fulfilsPlans) return "off";
  return merchant?.canFulfil === true ? "on" : "no_permission";
}

export async function merchantFulfils(shop: string): Promise<boolean> {
  return (await readFulfilmentMode(shop)) === "on";
}

/** Saves whether these scopes, all that the shop has granted, let the app fulfil. */
export async function saveCanFulfil(shop: string, granted: readonly string[]): Promise<void> {
  await db.merchant.updateMany({ where: { shop }, data: { canFulfil: includesFulfilment(granted) } });
}

/** After the merchant was asked for the scope: the platform says what was granted. @throws as `readGrantedScopes` */
export async function checkCanFulfil(shop: string): Promise<void> {
  const granted = await readGrantedScopes(shop);
  await updateSessionScopes(shop, granted);
  await saveCanFulfil(shop, granted);
}
