/** Whether a shop's stored webhooks are being processed. */
import { db } from "#app/platform/db.server.ts";

/** A webhook that waits longer means that no worker runs, or that it is too slow. */
const OVERDUE_AFTER_MS = 5 * 60_000;

export interface InboxHealth {
  /** webhooks whose last attempt failed; they will be retried */
  failing: number;
  /** webhooks that have waited too long */
  overdue: number;
}

/** For the home page. */
export async function inboxHealth(shop: string): Promise<InboxHealth> {
  const groups = await db.webhook.groupBy({
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
