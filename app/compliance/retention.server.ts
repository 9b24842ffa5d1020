/**
 * Every hour: personal data that has been kept long enough goes, also of shops that have removed the app. Contracts and
 * figures stay. It stands above the features that keep such data.
 */
import { system } from "#app/audit/actor.ts";
import { deleteAuditBefore, recordAudit } from "#app/audit/record.server.ts";
import { deleteProductEvents, eraseBodies } from "#app/webhooks/retention.server.ts";
import { eraseLeadsBefore } from "#app/leads/list.server.ts";
import { forEachMerchant } from "#app/merchants/merchant.server.ts";
import { readMerchantSettings } from "#app/merchants/settings.server.ts";
import { eraseOrdersBefore } from "#app/plans/privacy.server.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import {
  AUDIT_MONTHS,
  PRODUCT_EVENT_DAYS,
  UNPROCESSED_BODY_DAYS,
  daysBefore,
  monthsBefore,
} from "./retention.ts";

export async function applyRetention(now = new Date(), signal?: AbortSignal): Promise<void> {
  const limits = {
    doneBefore: daysBefore(now, env.WEBHOOK_BODY_DAYS),
    receivedBefore: daysBefore(now, UNPROCESSED_BODY_DAYS),
  };
  await forEachMerchant(
    "retention of webhooks",
    async ({ shop }) => {
      const bodies = await eraseBodies(shop, limits);
      const rows = await deleteProductEvents(shop, daysBefore(now, PRODUCT_EVENT_DAYS));
      if (bodies + rows > 0) log.info({ shop, bodies, rows }, "old webhooks are deleted");
    },
    { withUninstalled: true, signal },
  );
  await forEachMerchant(
    "retention",
    async ({ shop }) => {
      await deleteAuditBefore(shop, monthsBefore(now, AUDIT_MONTHS));
      const { retentionMonths } = await readMerchantSettings(shop);
      if (retentionMonths === 0) return;
      const before = monthsBefore(now, retentionMonths);
      const orders = await eraseOrdersBefore(shop, before);
      const leads = await eraseLeadsBefore(shop, before);
      if (orders + leads === 0) return;
      const after = { orders, leads };
      await recordAudit({ shop, actor: system("retention"), action: "personal_data_expired", after });
      log.info({ shop, ...after }, "old personal data is deleted");
    },
    { withUninstalled: true, signal },
  );
}
