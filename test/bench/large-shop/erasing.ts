/** The shop has removed the app, and its time of grace is over. */
import type pg from "pg";
import { figure } from "../figure.ts";
import type { Figure } from "../figure.ts";
import { watch } from "./watch.ts";

export async function erasing(client: pg.Client, shop: string): Promise<Figure[]> {
  const { eraseShop } = await import("#app/platform/erase-shop.server.ts");
  await client.query(`UPDATE "Merchant" SET "uninstalledAt" = now(), "eraseAt" = now() WHERE shop = $1`, [
    shop,
  ]);
  const { result, seconds, statement, transaction } = await watch(client, () => eraseShop(shop, new Date()));
  const rows = Object.values(result ?? {}).reduce((sum, each) => sum + each, 0);
  return [
    figure("erasing the shop, rows beside what goes with orders", rows, "rows"),
    figure("erasing the shop", seconds, "s"),
    figure("erasing, slowest statement", statement, "ms"),
    figure("erasing, longest transaction", transaction, "ms", "at most 5000", transaction <= 5_000),
  ];
}
