/** Quotes as the merchant sees them. */

/** Apart from the filter's schema (quotes.server.ts): the page does not load zod. */
export const quoteStates = ["active", "expired", "revoked", "sold", "unknown"] as const;

/** The last day of a quote to which the insurer gives none: it sorts after every other. */
export const NO_EXPIRY = "9999-12-31";

/** The client gives up long before: a request that is older was sent by a process that is gone. */
export const SENDING_MS = 120_000;

/** A product's age in days of the shop's calendar, as its buyer counts them. Both are days, `YYYY-MM-DD`. */
export const productAgeDays = (boughtOn: string, today: string): number =>
  Math.floor((Date.parse(today) - Date.parse(boughtOn)) / 86_400_000);

/**
 * A quote's state today. The insurer has no endpoint to read a quote again, so the status from its creation holds until the
 * quote expires; an order's own quotes may be revoked or found to be sold before (app/quotes/of-orders). One that the
 * insurer has not confirmed does not expire.
 * @param today `YYYY-MM-DD`
 */
export function quoteState(
  { status, expiresOn, sentAt }: { status: string; expiresOn: string; sentAt: Date | null },
  today: string,
  now = new Date(),
): string {
  if (status === "sending")
    return sentAt !== null && now.getTime() - sentAt.getTime() > SENDING_MS ? "unknown" : "sending";
  return !lastingStatuses.includes(status) && expiresOn < today ? "expired" : status;
}

/** Quotes with such a status do not expire. */
export const lastingStatuses = ["revoked", "sold", "sending", "unknown"];
