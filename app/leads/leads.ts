/** Leads as the merchant sees them. */

/** Apart from the filter's schema (leads.server.ts): the page does not load zod. */
export const leadStates = ["active", "expired", "withdrawn", "sold"] as const;

/** A product's age in days of the shop's calendar, as its buyer counts them. Both are days, `YYYY-MM-DD`. */
export const productAgeDays = (boughtOn: string, today: string): number =>
  Math.floor((Date.parse(today) - Date.parse(boughtOn)) / 86_400_000);

/**
 * A lead's state today. The service has no endpoint to read a lead again, so the status from its creation holds until the
 * lead expires; an order's own quotes may be withdrawn or found to be sold before (app/leads/order-leads).
 * @param today `YYYY-MM-DD`
 */
export function leadState(lead: { status: string; expiresOn: string }, today: string): string {
  const hasEnded = lead.status === "withdrawn" || lead.status === "sold";
  return !hasEnded && lead.expiresOn.slice(0, 10) < today ? "expired" : lead.status;
}
