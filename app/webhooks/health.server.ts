/** Whether events of the platform are being processed, for the home page. */
import { db } from "#app/platform/db.server.ts";

/** An event that waits longer means that no worker runs, or that it cannot keep up. */
const OVERDUE_AFTER_MS = 5 * 60_000;

export interface InboxHealth {
  /** events whose last attempt failed; they will be retried */
  failing: number;
  /** events that have waited too long */
  overdue: number;
}

export async function inboxHealth(shop: string): Promise<InboxHealth> {
  const groups = await db.inboxEvent.groupBy({
    by: ["state"],
    where: {
      shop,
      OR: [
        { state: "failed" },
        { state: "received", receivedAt: { lt: new Date(Date.now() - OVERDUE_AFTER_MS) } },
      ],
    },
    _count: { _all: true },
  });
  const count = (state: string) => groups.find((group) => group.state === state)?._count._all ?? 0;
  return { failing: count("failed"), overdue: count("received") };
}
