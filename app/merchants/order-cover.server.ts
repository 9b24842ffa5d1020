/** Whether customers see the cover on their order's page: the setting, and the scope that writing it needs. */
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import type { PermissionMode } from "./optional-scopes.server.ts";
import { readMerchantSettings } from "./settings.server.ts";

/** Whether the shop `o.shop` of another statement has granted the scope. */
export const canWriteOrdersColumn = Prisma.sql`
  COALESCE((SELECT m."canWriteOrders" FROM "Merchant" AS m WHERE m.shop = o.shop), false)`;

export async function readOrderCoverMode(shop: string): Promise<PermissionMode> {
  const [{ showsCover }, merchant] = await Promise.all([
    readMerchantSettings(shop),
    db.merchant.findUnique({ where: { shop }, select: { canWriteOrders: true } }),
  ]);
  if (!showsCover) return "off";
  return merchant?.canWriteOrders === true ? "on" : "no_permission";
}
