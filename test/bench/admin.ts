/**
 * The admin of a shop with 100,000 orders and 3,000 references, in the built app. Parts: server (the server's time of
 * every page) and browser (paint, layout shifts and input latency of three pages on a slow machine).
 */
import { openBusyShop } from "./admin/busy-shop.ts";
import { adminPages } from "./admin/pages.ts";
import { serverTimes } from "./admin/server-time.ts";
import { browserFigures } from "./admin/vitals.ts";
import { runParts } from "./figure.ts";
import type { Figure } from "./figure.ts";

const ORDERS = 100_000;
const REFERENCES = 3_000;

export async function bench(): Promise<Figure[]> {
  const stage = await openBusyShop({ orders: ORDERS, references: REFERENCES });
  try {
    const pages = await adminPages(ORDERS);
    return await runParts({
      server: () => serverTimes(stage, pages),
      browser: () => browserFigures(stage, ["/app", "/app/orders", "/app/catalogue"]),
    });
  } finally {
    await stage.close();
  }
}
