/** What the shop has granted of the optional scopes (shopify.app.toml), and whether the features that need them are on. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { includesFulfilment } from "#app/shopify/fulfilment.ts";
import { readGrantedScopes } from "#app/shopify/granted-scopes.server.ts";
import { updateSessionScopes } from "#app/shopify/sessions.server.ts";
import { defaultMerchantSettings, merchantSettings } from "./settings.ts";

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

const columnOf = (feature: Feature) => Prisma.raw(`m."${features[feature].column}"`);

/** Whether the shop `o.shop` of another statement has granted the feature's scope. */
export const grantedColumn = (feature: Feature) => Prisma.sql`
  COALESCE((SELECT ${columnOf(feature)} FROM "Merchant" AS m WHERE m.shop = o.shop), false)`;

/** A query of the shops that have the app now and have granted the feature's scope, as part of another statement. */
export const grantingShops = (feature: Feature) => Prisma.sql`
  SELECT m.shop FROM "Merchant" AS m WHERE m."uninstalledAt" IS NULL AND ${columnOf(feature)}`;

/** Of a feature that needs an optional scope. `off`: the merchant does not want it; `no_permission`: the scope is missing. */
export type PermissionMode = "on" | "off" | "no_permission";

const stored = z.array(
  z.object({
    canFulfil: z.boolean(),
    canWriteOrders: z.boolean(),
    canWriteDrafts: z.boolean(),
    settings: merchantSettings.nullable(),
  }),
);

export async function readPermissionModes(shop: string): Promise<Record<Feature, PermissionMode>> {
  const rows = await db.$queryRaw`
    SELECT m."canFulfil", m."canWriteOrders", m."canWriteDrafts", s.settings
    FROM "Merchant" AS m LEFT JOIN "MerchantSettings" AS s ON s.shop = m.shop WHERE m.shop = ${shop}`;
  const [row] = stored.parse(rows);
  const settings = row?.settings ?? defaultMerchantSettings;
  const modeOf = ({ setting, column }: (typeof features)[Feature]) => {
    if (!settings[setting]) return "off";
    return row?.[column] === true ? "on" : "no_permission";
  };
  return {
    fulfilment: modeOf(features.fulfilment),
    orderCover: modeOf(features.orderCover),
    draftOrders: modeOf(features.draftOrders),
  };
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
