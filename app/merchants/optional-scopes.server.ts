/** What the shop has granted of the optional scopes (shopify.app.toml), and whether the features that need them are on. */
import { db } from "#app/platform/db.server.ts";
import { includesFulfilment } from "#app/shopify/fulfilment.ts";
import { readGrantedScopes } from "#app/shopify/access.server.ts";
import { updateSessionScopes } from "#app/shopify/sessions.server.ts";
import { findShopModes, type ShopModes } from "./merchant.server.ts";
import { defaultMerchantSettings, type MerchantSettings } from "./settings.ts";

/** The features that need one: the merchant's setting, and the column that says whether the scope is granted. */
const features = {
  /** the lines of contracts are fulfilled in the shop */
  fulfilment: { setting: "fulfilsPlans", column: "canFulfil" },
  /** customers see the cover on their order's page */
  orderCover: { setting: "showsCover", column: "canWriteOrders" },
  /** staff add plans to draft orders */
  draftOrders: { setting: "sellsOnDrafts", column: "canWriteDrafts" },
} as const;
type Feature = keyof typeof features;

/** Of a feature that needs an optional scope. `off`: the merchant does not want it; `no_permission`: the scope is missing. */
export type PermissionMode = "on" | "off" | "no_permission";

export async function readPermissionModes(shop: string): Promise<Record<Feature, PermissionMode>> {
  return permissionModesOf(await findShopModes(shop)).modes;
}

/** @param stored null: the shop is not known */
export function permissionModesOf(stored: ShopModes | null): {
  settings: MerchantSettings;
  modes: Record<Feature, PermissionMode>;
} {
  const settings = stored?.settings ?? defaultMerchantSettings;
  const modeOf = ({ setting, column }: (typeof features)[Feature]): PermissionMode => {
    const chosen = settings[setting];
    if (chosen === false || chosen === "never") return "off";
    return stored?.[column] === true ? "on" : "no_permission";
  };
  const modes = {
    fulfilment: modeOf(features.fulfilment),
    orderCover: modeOf(features.orderCover),
    draftOrders: modeOf(features.draftOrders),
  };
  return { settings, modes };
}

/** Saves what these scopes, all that the shop has granted, let the app do. */
async function saveOptionalScopes(shop: string, granted: readonly string[]): Promise<void> {
  const canFulfil = includesFulfilment(granted);
  const canWriteOrders = granted.includes("write_orders");
  const canWriteDrafts = granted.includes("write_draft_orders");
  await db.merchant.updateMany({ where: { shop }, data: { canFulfil, canWriteOrders, canWriteDrafts } });
}

/** After the merchant answered a request for a scope: reads the granted scopes. @throws as `readGrantedScopes` */
export async function checkOptionalScopes(shop: string): Promise<void> {
  const granted = await readGrantedScopes(shop);
  await updateSessionScopes(shop, granted);
  await saveOptionalScopes(shop, granted);
}

/** Whether the app may write a metafield of an order, whatever is set. */
export async function canWriteOrders(shop: string): Promise<boolean> {
  const merchant = await db.merchant.findUnique({ where: { shop }, select: { canWriteOrders: true } });
  return merchant?.canWriteOrders ?? false;
}
