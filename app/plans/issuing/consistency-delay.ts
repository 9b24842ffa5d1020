/**
 * How long "it is not there" may only mean "not yet": a creation whose response was lost may still be carried out. A
 * look-up that finds nothing is conclusive after this time, measured from when the request was sent.
 */

/** The service responded in full, if unreadably: it has decided, and only its own reads may lag behind. */
export const CONCLUSIVE_AFTER_RESPONSE_MS = 3_000;

export interface SentCreation {
  sentAt: Date | null;
  responded: boolean;
}

/**
 * From when on a look-up that does not find this unit's plan is conclusive.
 * @param delayMs for a creation that got no response at all
 */
export function conclusiveAt({ sentAt, responded }: SentCreation, delayMs: number): Date {
  const delay = responded ? Math.min(CONCLUSIVE_AFTER_RESPONSE_MS, delayMs) : delayMs;
  return new Date((sentAt?.getTime() ?? 0) + delay);
}
