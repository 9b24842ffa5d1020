/** The optional scopes that the shop has granted (shopify.app.toml), and the state of the features that need them. */
import { db } from "#app/platform/db.server.ts";
import { includesFulfilment } from "#app/shopify/fulfilment.ts";
import { readGrantedScopes } from "#app/shopify/access.server.ts";
import { updateSessionScopes } from "#app/shopify/sessions.server.ts";
import { findShopModes, type ShopModes } from "./merchant.server.ts";
import { defaultMerchantSettings, type MerchantSettings } from "./settings.ts";

/** The features that need an optional scope: the merchant's setting, and the column with the grant. */
const features = {
  /** fulfil the lines of contracts in the shop */
  fulfilment: { setting: "fulfilsPlans", column: "canFulfil" },
  /** show customers the coverage on their order's page */
  orderCover: { setting: "showsCover", column: "canWriteOrders" },
  /** tag orders that have a contract or an open task */
  orderTags: { setting: "tagsOrders", column: "canWriteOrders" },
  /** staff add plans to draft orders */
  draftOrders: { setting: "sellsOnDrafts", column: "canWriteDrafts" },
} as const;
type Feature = keyof typeof features;

/** The state of such a feature. `off`: the merchant has turned it off; `no_permission`: the scope is missing. */
export type PermissionMode = "on" | "off" | "no_permission";

export async function readPermissionModes(shop: string): Promise<Record<Feature, PermissionMode>> {
  return permissionModesOf(await findShopModes(shop)).modes;
}

/** @param stored null: the shop is unknown */
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
    orderTags: modeOf(features.orderTags),
    draftOrders: modeOf(features.draftOrders),
  };
  return { settings, modes };
}

/** Saves which features the granted scopes allow. `granted` contains all scopes of the shop. */
async function saveOptionalScopes(shop: string, granted: readonly string[]): Promise<void> {
  const canFulfil = includesFulfilment(granted);
  const canWriteOrders = granted.includes("write_orders");
  const canWriteDrafts = granted.includes("write_draft_orders");
  await db.merchant.updateMany({ where: { shop }, data: { canFulfil, canWriteOrders, canWriteDrafts } });
}

/** Reads the granted scopes after the merchant has answered a request for a scope. @throws as `readGrantedScopes` */
export async function checkOptionalScopes(shop: string): Promise<void> {
  const granted = await readGrantedScopes(shop);
  await updateSessionScopes(shop, granted);
  await saveOptionalScopes(shop, granted);
}

/** Whether the app may write an order's metafields, regardless of the settings. */
export async function canWriteOrders(shop: string): Promise<boolean> {
  const merchant = await db.merchant.findUnique({ where: { shop }, select: { canWriteOrders: true } });
  return merchant?.canWriteOrders ?? false;
}
