/**
 * Every hour: personal data that a merchant does not want to keep any longer goes (app/merchants/settings.ts). Contracts
 * and figures stay. It stands above the features that keep such data.
 */
import { emptyEventsBefore } from "#app/jobs/retention.server.ts";
import { forgetLeadsBefore } from "#app/leads/list.server.ts";
import { installedShops } from "#app/merchants/merchant.server.ts";
import { readMerchantSettings } from "#app/merchants/settings.server.ts";
import { forgetOrdersBefore } from "#app/plans/retention.server.ts";
import { log } from "#app/platform/log.server.ts";
import { monthsBefore } from "./retention.ts";

export async function applyRetention(now = new Date()): Promise<void> {
  for (const shop of await installedShops()) {
    const { retentionMonths } = await readMerchantSettings(shop);
    if (retentionMonths === 0) continue;
    const before = monthsBefore(now, retentionMonths);
    const orders = await forgetOrdersBefore(shop, before);
    const leads = await forgetLeadsBefore(shop, before);
    const events = await emptyEventsBefore(shop, before);
    if (orders + leads + events > 0)
      log.info({ shop, orders, leads, events }, "old personal data is deleted");
  }
}
