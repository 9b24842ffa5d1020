import { recordActivity } from "#app/merchants/activity.server.ts";
import { log } from "#app/platform/log.server.ts";
import { saveStorefrontSettings } from "./storefront-settings.server.ts";
import type { StorefrontSettings } from "./storefront-settings.ts";
import { AdminRefused, AdminUnavailable } from "#app/shopify/errors.ts";

/** Saves what the merchant decided. `not_shown`: it is saved, the shop will be told. */
export async function updateStorefrontSettings(
  shop: string,
  settings: StorefrontSettings,
): Promise<"saved" | "not_shown"> {
  try {
    await saveStorefrontSettings(shop, settings);
    await recordActivity(shop, "touchpoints_saved");
    return "saved";
  } catch (error) {
    if (!(error instanceof AdminRefused || error instanceof AdminUnavailable)) throw error;
    log.warn({ err: error, shop }, "the storefront's settings are saved, not shown");
    return "not_shown";
  }
}
