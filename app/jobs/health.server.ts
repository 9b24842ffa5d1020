/** Whether the work that the platform's events brought is being done, for the home page. */
import { db } from "#app/platform/db.server.ts";

/** An event that nobody has taken up for so long says that no worker runs, or that it cannot keep up. */
const LATE_MS = 5 * 60_000;

export interface JobHealth {
  /** events whose last attempt failed: they are tried again */
  failing: number;
  /** events that wait for longer than they should */
  late: number;
}

export async function jobHealth(shop: string): Promise<JobHealth> {
  const groups = await db.inboxEvent.groupBy({
    by: ["state"],
    where: {
      shop,
      OR: [{ state: "failed" }, { state: "received", receivedAt: { lt: new Date(Date.now() - LATE_MS) } }],
    },
    _count: { _all: true },
  });
  const count = (state: string) => groups.find((group) => group.state === state)?._count._all ?? 0;
  return { failing: count("failed"), late: count("received") };
}
