/**
 * Days that the body of a webhook is kept that could not be processed. As long, the platform shows an order to an app
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
