/**
 * Every hour: deletes personal data after its retention period, also for shops that have removed the app. Contracts
 * and figures stay. This file calls the features that store such data.
 */
import { eraseMailsBefore, hasMailsBefore } from "#app/outbox/outbox.server.ts";
import { system } from "#app/audit/actor.ts";
import { deleteAuditBefore, hasAuditBefore } from "#app/audit/audit-entries.server.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { cleanUpWebhooks, hasOldWebhooks } from "#app/inbox/webhook-retention.server.ts";
import { eraseQuotesBefore, hasQuotesBefore } from "#app/quotes/quotes.server.ts";
import { findShopsWith, forEachDueShop, retentionMonths } from "#app/merchants/merchant.server.ts";
import { eraseOrdersBefore, hasOrdersBefore } from "./order-privacy.server.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";

/**
 * Days to keep the body of an unprocessed webhook. Shopify shows an order to an app for the same time (shopify.dev,
 * "read_all_orders"), so reconciliation can recover it until then.
 */
export const UNPROCESSED_BODY_DAYS = 60;

/** Months to keep the rows of processed webhooks, without bodies, as the history of their orders. */
export const EVENT_MONTHS = 24;

/** Days to keep a processed product webhook, for the list of activities. */
export const PRODUCT_EVENT_DAYS = 30;

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000);
}

/** The same day and time some months earlier, or that month's last day. */
export function monthsBefore(now: Date, months: number): Date {
  const before = new Date(now);
  before.setUTCMonth(before.getUTCMonth() - months);
  // Six months before 31 August would become 3 March.
  if (before.getUTCDate() !== now.getUTCDate()) before.setUTCDate(0);
  return before;
}

/** Months to keep the audit log: long enough to investigate problems that are noticed late. */
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
  // Each merchant has a retention period; most keep the default.
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
