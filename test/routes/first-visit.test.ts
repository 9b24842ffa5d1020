/** The first page that a merchant opens: the app does not know the shop yet and queries Shopify. */
import { expect, test } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { loader } from "#app/routes/app._index/route.tsx";
import { sessionStorage } from "#app/shopify/sessions.server.ts";
import { shop } from "#test/world.ts";
import { ask } from "./ask.ts";

const shopDomain = shop.shopDomain;
const visit = async () => {
  const page = await ask(loader, "/app");
  return { ...page, cartSection: await page.cartSection };
};

test("one failure of Shopify does not spoil it", async () => {
  shop.faults.add({ operation: "admin", status: 503, times: 1 });
  expect(await visit()).toMatchObject({ connection: null });
  expect(shop.faults.list).toEqual([]);
  expect(await db.merchant.findUnique({ where: { shop: shopDomain } })).toMatchObject({
    name: shop.state.name,
    currency: shop.state.currency,
    timezone: shop.state.timezone,
  });
});

test("an access token that Shopify fails to give once is requested again", async () => {
  await sessionStorage.deleteSession(`offline_${shopDomain}`);
  shop.faults.add({ operation: "token", status: 503, times: 1 });
  expect(await visit()).toMatchObject({ connection: null });
  expect(shop.faults.list).toEqual([]);

  await sessionStorage.deleteSession(`offline_${shopDomain}`);
  shop.faults.add({ operation: "token", status: 503, times: 100 });
  await expect(visit()).rejects.toMatchObject({ status: 500 });
  shop.faults.clear();
});

test("a platform that stays away leaves a shop of which nothing is known, and the next visit makes it known", async () => {
  await db.merchant.deleteMany({ where: { shop: shopDomain } });
  shop.faults.add({ operation: "admin", status: 503, times: 100 });
  await expect(visit()).rejects.toMatchObject({
    name: "AdminUnavailable",
    operation: "ParasolShop",
    shop: shopDomain,
  });
  shop.faults.clear();
  expect(await db.merchant.count({ where: { shop: shopDomain } })).toBe(0);
  await visit();
  expect(await db.merchant.count({ where: { shop: shopDomain } })).toBe(1);
});
