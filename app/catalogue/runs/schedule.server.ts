/** The scheduled refresh of catalogues. */
import { forEachMerchant } from "#app/merchants/merchant.server.ts";
import { listConnections } from "#app/merchants/connection.server.ts";
import { db } from "#app/platform/db.server.ts";
import { startRun } from "./runs.server.ts";
import { readCatalogueSettings } from "#app/catalogue/settings.server.ts";

/** A little early, so that a refresh every 24 hours does not slip by an hour each day. */
const SLACK_MS = 10 * 60_000;

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
  const { refreshHours } = await readCatalogueSettings(shop);
  if (refreshHours === 0 || (await listConnections(shop)).length === 0) return false;
  const last = await db.syncRun.findFirst({
    where: { shop, kind: "catalogue" },
    orderBy: { createdAt: "desc" },
    select: { createdAt: true },
  });
  // The first run is the merchant's to start.
  return last !== null && now.getTime() - last.createdAt.getTime() >= refreshHours * 3_600_000 - SLACK_MS;
}
