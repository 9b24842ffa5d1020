/**
 * Every hour: personal data that a merchant does not want to keep any longer goes (app/merchants/settings.ts). Contracts
 * and figures stay. It stands above the features that keep such data.
 */
import { emptyEventsBefore } from "#app/webhooks/retention.server.ts";
import { forgetLeadsBefore } from "#app/leads/list.server.ts";
import { forEveryShop } from "#app/merchants/merchant.server.ts";
import { readMerchantSettings } from "#app/merchants/settings.server.ts";
import { forgetOrdersBefore } from "#app/plans/privacy.server.ts";
import { log } from "#app/platform/log.server.ts";
import { monthsBefore } from "./retention.ts";

export async function applyRetention(now = new Date()): Promise<void> {
  await forEveryShop("retention", async ({ shop }) => {
    const { retentionMonths } = await readMerchantSettings(shop);
    if (retentionMonths === 0) return;
    const before = monthsBefore(now, retentionMonths);
    const orders = await forgetOrdersBefore(shop, before);
    const leads = await forgetLeadsBefore(shop, before);
    const events = await emptyEventsBefore(shop, before);
    if (orders + leads + events > 0)
      log.info({ shop, orders, leads, events }, "old personal data is deleted");
  });
}
