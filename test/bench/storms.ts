/**
 * What floods one shop's queue, or all of them, on PostgreSQL: how long others wait, and what it costs. Floods are
 * written into the tables, not sent. `BENCH_PARTS` names some of products, outage, backlog, hourly, separated by commas.
 */
import type { Figure } from "./figure.ts";
import { openStormStage } from "./storms/stage.ts";
import type { StormStage } from "./storms/stage.ts";
import { idleShops } from "./storms/hourly.ts";
import { longBacklog } from "./storms/backlog.ts";
import { serviceOutage } from "./storms/outage.ts";
import { productStorm } from "./storms/products.ts";

const parts: Record<string, (on: StormStage) => Promise<Figure[]>> = {
  products: productStorm,
  outage: serviceOutage,
  backlog: longBacklog,
  hourly: idleShops,
};

export async function bench(): Promise<Figure[]> {
  const only = process.env["BENCH_PARTS"]?.split(",");
  const on = await openStormStage();
  try {
    const figures: Figure[] = [];
    for (const [name, part] of Object.entries(parts)) {
      if (only === undefined || only.includes(name)) figures.push(...(await part(on)));
      await on.reset();
    }
    return figures;
  } finally {
    await on.close();
  }
}
