/**
 * Every hour: deletes personal data that has been kept long enough, also of shops that have removed the app. Contracts
 * and figures stay. This file calls the features that keep such data.
 */
import { eraseMailsBefore, hasMailsBefore } from "#app/outbox/outbox.server.ts";
import { system } from "#app/audit/actor.ts";
import { deleteAuditBefore, hasAuditBefore } from "#app/audit/audit-entries.server.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { cleanUpWebhooks, hasOldWebhooks } from "#app/inbox/webhook-retention.server.ts";
import { eraseQuotesBefore, hasQuotesBefore } from "#app/quotes/quotes.server.ts";
import { findShopsWith, forEachDueShop, retentionMonths } from "#app/merchants/merchant.server.ts";
import { hasOrdersBefore } from "#app/orders/plan-rows.server.ts";
import { eraseOrdersBefore } from "./order-privacy.server.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";

/**
 * Days that the body of a webhook is kept that could not be processed. As long, Shopify shows an order to an app
 * (shopify.dev, "read_all_orders"), so that reconciliation can make up for it.
 */
export const UNPROCESSED_BODY_DAYS = 60;

/** Months that the rows of processed webhooks are kept, without their bodies, as the history of their orders. */
export const EVENT_MONTHS = 24;

/** Days that a processed webhook about a product is kept: for the list of activities. */
export const PRODUCT_EVENT_DAYS = 30;

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000);
}

/** The same day and time some months earlier, or the month's last day where it has no such day. */
export function monthsBefore(now: Date, months: number): Date {
  const before = new Date(now);
  before.setUTCMonth(before.getUTCMonth() - months);
  // 31 August less six months would be 3 March.
  if (before.getUTCDate() !== now.getUTCDate()) before.setUTCDate(0);
  return before;
}

/** How long the audit log is kept: long enough to look into what is noticed late. */
export const AUDIT_MONTHS = 24;

export async function applyRetention(now = new Date(), signal?: AbortSignal): Promise<void> {
  const limits = {
    bodyDoneBefore: daysBefore(now, env.WEBHOOK_BODY_DAYS),
    bodyReceivedBefore: daysBefore(now, UNPROCESSED_BODY_DAYS),
    productDoneBefore: daysBefore(now, PRODUCT_EVENT_DAYS),
    doneBefore: monthsBefore(now, EVENT_MONTHS),
  };
  await forEachDueShop(
    "retention of webhooks",
    await findShopsWith([hasOldWebhooks(limits)]),
    async (shop) => {
      const { bodies, rows } = await cleanUpWebhooks(shop, limits, signal);
      if (bodies + rows > 0) log.info({ shop, bodies, rows }, "Old webhooks deleted");
    },
    signal,
  );
  const auditBefore = monthsBefore(now, AUDIT_MONTHS);
  await forEachDueShop(
    "retention of the audit log",
    await findShopsWith([hasAuditBefore(auditBefore)]),
    async (shop) => {
      await deleteAuditBefore(shop, auditBefore, signal);
    },
    signal,
  );
  // By each merchant's retention period; most merchants keep the default.
  for (const { months, shops } of await retentionMonths()) {
    const before = monthsBefore(now, months);
    await forEachDueShop(
      "retention",
      await findShopsWith([hasOrdersBefore(before), hasQuotesBefore(before), hasMailsBefore(before)], shops),
      async (shop) => {
        const orders = await eraseOrdersBefore(shop, before, signal);
        const quotes = await eraseQuotesBefore(shop, before);
        const mails = await eraseMailsBefore(shop, before);
        if (orders + quotes + mails === 0) return;
        const after = { orders, quotes, mails };
        await recordAudit({ shop, actor: system("retention"), action: "personal_data_expired", after });
        log.info({ shop, ...after }, "Old personal data deleted");
      },
      signal,
    );
  }
}
