import { db } from "#app/platform/db.server.ts";
import { eraseShop } from "#app/platform/erase-shop.server.ts";

/** Erases a shop as if it had removed the app long ago, whatever state the previous tests left. */
export async function eraseNow(shop: string): Promise<void> {
  const eraseAt = new Date(0);
  await db.session.deleteMany({ where: { shop } });
  await db.merchant.upsert({ where: { shop }, create: { shop, eraseAt }, update: { eraseAt } });
  await eraseShop(shop, new Date());
}
