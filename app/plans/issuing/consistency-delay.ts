/**
 * How long "not found" may only mean "not yet": a creation whose response was lost may still be carried out. A look-up
 * that finds nothing is conclusive after this time, measured from when its outcome became unknown: by then the request
 * had ended, or its worker was no longer allowed to send it. The time at which the worker announced the request is too
 * early: the request may have waited long in the service's queue.
 */

/** The service responded in full, if unreadably: it has decided, and only its own reads may lag behind. */
export const CONCLUSIVE_AFTER_RESPONSE_MS = 3_000;

export interface SentCreation {
  /** when the worker began to send it; null: it never did */
  sentAt: Date | null;
  /** when the unit came into its state, unknown */
  changedAt: Date;
  responded: boolean;
}

/**
 * From when on a look-up that does not find this unit's plan is conclusive.
 * @param delayMs for a creation that got no response at all
 */
export function conclusiveAt({ sentAt, changedAt, responded }: SentCreation, delayMs: number): Date {
  const delay = responded ? Math.min(CONCLUSIVE_AFTER_RESPONSE_MS, delayMs) : delayMs;
  return new Date(sentAt === null ? 0 : changedAt.getTime() + delay);
}
