/**
 * What floods one shop's queue, or all of them, on PostgreSQL: how long others wait, and what it costs. Floods are
 * written into the tables, not sent. Its parts are products, outage, backlog, hourly.
 */
import { runParts } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { openStormStage } from "./storms/stage.ts";
import type { StormStage } from "./storms/stage.ts";
import { idleShops } from "./storms/hourly.ts";
import { longBacklog } from "./storms/backlog.ts";
import { serviceOutage } from "./storms/outage.ts";
import { productStorm } from "./storms/products.ts";

export async function bench(): Promise<Figure[]> {
  const on = await openStormStage();
  try {
    const afterReset = (part: (on: StormStage) => Promise<Figure[]>) => async () => {
      await on.reset();
      return part(on);
    };
    return await runParts({
      products: afterReset(productStorm),
      outage: afterReset(serviceOutage),
      backlog: afterReset(longBacklog),
      hourly: afterReset(idleShops),
    });
  } finally {
    await on.close();
  }
}
