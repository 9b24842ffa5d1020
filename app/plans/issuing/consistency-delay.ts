/**
 * How long "it is not there" may only mean "not yet": a creation whose answer was lost may still be carried out. An
 * empty look counts after this time, measured from the moment it was asked.
 */

/** The service answered in full, if unreadably: it has made up its mind, and only its own reads may lag behind. */
export const SETTLED_AFTER_ANSWER_MS = 3_000;

export interface Asked {
  sentAt: Date | null;
  answered: boolean;
}

/**
 * When an empty look at this unit will count.
 * @param settleMs for a creation that got no answer at all
 */
export function settledAt({ sentAt, answered }: Asked, settleMs: number): Date {
  return new Date(
    (sentAt?.getTime() ?? 0) + (answered ? Math.min(SETTLED_AFTER_ANSWER_MS, settleMs) : settleMs),
  );
}
