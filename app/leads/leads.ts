/** Leads as the merchant sees them. */
import { z } from "zod";

export const leadStates = ["active", "expired"] as const;

export const leadFilter = z.object({
  state: z.enum(leadStates).nullable().catch(null),
  /** in the lead's id, the customer's name or e-mail, the product */
  query: z.string().trim().min(1).nullable().catch(null),
});
export type LeadFilter = z.infer<typeof leadFilter>;
export const leadFilterNames = Object.keys(leadFilter.shape);

/**
 * A lead's state today. The service cannot be asked again (it has no such endpoint), so what it said when it made the
 * lead holds until the lead's expiration date.
 * @param today `YYYY-MM-DD`
 */
export function leadState(lead: { status: string; expiresOn: string }, today: string): string {
  return lead.expiresOn.slice(0, 10) < today ? "expired" : lead.status;
}
