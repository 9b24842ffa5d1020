/** The scheduled refresh of catalogues. */
import { z } from "zod";
import { forEachMerchant } from "#app/merchants/merchant.server.ts";
import { listConnections } from "#app/merchants/connection.server.ts";
import { db } from "#app/platform/db.server.ts";
import { startRun } from "./runs.server.ts";
import { readCatalogueSettings } from "#app/catalogue/settings.server.ts";

/** A little early, so that a refresh every 24 hours does not slip by an hour each day. */
const SLACK_MS = 10 * 60_000;

const DAY_HOURS = 24;

const waitingCount = z.object({ variants_waiting: z.number().optional() }).catch({});

/** Starts the runs of the shops whose last one is older than they want it. To be called every hour. */
export async function startDueRuns(now = new Date(), signal?: AbortSignal): Promise<void> {
  await forEachMerchant(
    "refresh of the catalogue",
    async ({ shop }) => {
      if (!(await isDue(shop, now))) return;
      await startRun(shop, "catalogue", "schedule");
      await startRun(shop, "products", "schedule");
    },
    { signal },
  );
}

async function isDue(shop: string, now: Date): Promise<boolean> {
  if ((await listConnections(shop)).length === 0) return false;
  const last = await db.syncRun.findFirst({
    where: { shop, kind: "catalogue" },
    orderBy: { createdAt: "desc" },
    select: { createdAt: true, counts: true },
  });
  // The first run is the merchant's to start.
  if (last === null) return false;
  const { refreshHours } = await readCatalogueSettings(shop);
  const { variants_waiting: waiting = 0 } = waitingCount.parse(last.counts);
  // The platform lets the shop create more variants after a day, whatever the merchant wants of refreshes.
  const hours = waiting > 0 ? Math.min(refreshHours || DAY_HOURS, DAY_HOURS) : refreshHours;
  return hours > 0 && now.getTime() - last.createdAt.getTime() >= hours * 3_600_000 - SLACK_MS;
}
