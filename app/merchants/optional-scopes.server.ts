/** What the shop has granted of the optional scopes (shopify.app.toml), and whether the features that need them are on. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { includesFulfilment } from "#app/shopify/fulfilment.ts";
import { readGrantedScopes } from "#app/shopify/access.server.ts";
import { updateSessionScopes } from "#app/shopify/sessions.server.ts";
import { defaultMerchantSettings, merchantSettings } from "./settings.ts";
import type { MerchantSettings } from "./settings.ts";

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

/** What is stored of a shop's permissions and settings. */
export const shopModes = z.object({
  /** the shop has the app now */
  isInstalled: z.boolean(),
  timezone: z.string(),
  canFulfil: z.boolean(),
  canWriteOrders: z.boolean(),
  canWriteDrafts: z.boolean(),
  settings: merchantSettings.nullable(),
});

/** Those of the shop of the order `o` of another statement, as `shopModes`; null: there is no such shop. */
export const shopModesColumn = Prisma.sql`(
  SELECT jsonb_build_object('isInstalled', m."uninstalledAt" IS NULL, 'timezone', m.timezone,
    'canFulfil', m."canFulfil", 'canWriteOrders', m."canWriteOrders", 'canWriteDrafts', m."canWriteDrafts",
    'settings', s.settings)
  FROM "Merchant" AS m LEFT JOIN "MerchantSettings" AS s ON s.shop = m.shop WHERE m.shop = o.shop)`;

export async function readPermissionModes(shop: string): Promise<Record<Feature, PermissionMode>> {
  const rows =
    await db.$queryRaw`SELECT ${shopModesColumn} AS modes FROM (SELECT ${shop}::text AS shop) AS o`;
  const [row] = z.array(z.object({ modes: shopModes.nullable() })).parse(rows);
  return permissionModesOf(row?.modes ?? null).modes;
}

/** @param stored null: the shop is not known */
export function permissionModesOf(stored: z.infer<typeof shopModes> | null): {
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
