/** What the shop has granted of the optional scopes (shopify.app.toml), as columns that statements can read. */
import { db } from "#app/platform/db.server.ts";
import { includesFulfilment } from "#app/shopify/fulfilment.ts";
import { readGrantedScopes } from "#app/shopify/granted-scopes.server.ts";
import { updateSessionScopes } from "#app/shopify/sessions.server.ts";

/** Of a feature that needs an optional scope. `off`: the merchant does not want it; `no_permission`: the scope is missing. */
export type PermissionMode = "on" | "off" | "no_permission";

/** Saves what these scopes, all that the shop has granted, let the app do. */
export async function saveOptionalScopes(shop: string, granted: readonly string[]): Promise<void> {
  const canFulfil = includesFulfilment(granted);
  const canWriteOrders = granted.includes("write_orders");
  await db.merchant.updateMany({ where: { shop }, data: { canFulfil, canWriteOrders } });
}

/** After the merchant was asked for a scope: the platform says what was granted. @throws as `readGrantedScopes` */
export async function checkOptionalScopes(shop: string): Promise<void> {
  const granted = await readGrantedScopes(shop);
  await updateSessionScopes(shop, granted);
  await saveOptionalScopes(shop, granted);
}
