import type { Actor } from "#app/audit/actor.ts";
import { log } from "#app/platform/log.server.ts";
import { publishCheckout } from "./checkout/publish-checkout.server.ts";
import { saveStorefrontSettings } from "./storefront-settings.server.ts";
import type { StorefrontSettings } from "./storefront-settings.ts";
import { AdminRefused, AdminUnavailable } from "#app/shopify/errors.ts";

/** Saves the merchant's settings. `not_shown`: saved, and a job will write them into the shop; `changed_elsewhere`: not saved. */
export async function updateStorefrontSettings(
  shop: string,
  settings: StorefrontSettings,
  actor: Actor,
  version: string | null,
): Promise<"saved" | "not_shown" | "changed_elsewhere"> {
  try {
    if (!(await saveStorefrontSettings(shop, settings, actor, version))) return "changed_elsewhere";
    return (await publishCheckout(shop, { attempts: 2 })) ? "saved" : "not_shown";
  } catch (error) {
    if (!(error instanceof AdminRefused || error instanceof AdminUnavailable)) throw error;
    log.warn({ err: error, shop }, "Failed to write the storefront's settings into the shop; they are saved");
    return "not_shown";
  }
}
