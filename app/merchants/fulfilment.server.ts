/** Whether the lines of contracts are fulfilled in a merchant's shop: the setting, and the scope that it needs. */
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { PermissionMode } from "./optional-scopes.server.ts";
import { readMerchantSettings } from "./settings.server.ts";

/** Whether the shop `o.shop` of another statement has granted the scope. */
export const canFulfilColumn = Prisma.sql`
  COALESCE((SELECT m."canFulfil" FROM "Merchant" AS m WHERE m.shop = o.shop), false)`;

/** A query of the shops that have the app now and have granted the scope, as part of another statement. */
export const fulfillingShops = Prisma.sql`SELECT shop FROM "Merchant" WHERE "uninstalledAt" IS NULL AND "canFulfil"`;

export async function readFulfilmentMode(shop: string): Promise<PermissionMode> {
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
