/**
 * Every hour: personal data that a merchant does not want to keep any longer goes (app/merchants/settings.ts). Contracts
 * and figures stay. It stands above the features that keep such data.
 */
import { eraseEventsBefore } from "#app/webhooks/retention.server.ts";
import { eraseLeadsBefore } from "#app/leads/list.server.ts";
import { forEachMerchant } from "#app/merchants/merchant.server.ts";
import { readMerchantSettings } from "#app/merchants/settings.server.ts";
import { eraseOrdersBefore } from "#app/plans/privacy.server.ts";
import { log } from "#app/platform/log.server.ts";
import { monthsBefore } from "./retention.ts";

export async function applyRetention(now = new Date()): Promise<void> {
  await forEachMerchant("retention", async ({ shop }) => {
    const { retentionMonths } = await readMerchantSettings(shop);
    if (retentionMonths === 0) return;
    const before = monthsBefore(now, retentionMonths);
    const orders = await eraseOrdersBefore(shop, before);
    const leads = await eraseLeadsBefore(shop, before);
    const events = await eraseEventsBefore(shop, before);
    if (orders + leads + events > 0)
      log.info({ shop, orders, leads, events }, "old personal data is deleted");
  });
}
