/** How many statements a page costs, in a shop with something of everything and with lists that fill their pages. */
import { beforeAll, expect, test, vi } from "vitest";
import { organisationOf } from "#app/analytics/organisation.server.ts";
import { recountAllAttachment } from "#app/plans/attachment/daily-sums.server.ts";
import { db } from "#app/platform/db.server.ts";
import { writeHistory } from "#test/shop-history.ts";
import { signedQuery } from "#test/sandbox/shop/storefront/app-proxy.ts";
import { adminRequest, secrets, shop } from "#test/world.ts";
import { answerOf } from "./answer.ts";
import { doors, paramsOf, pathOf, proxyDoors } from "./every-route.ts";
import { openFullShop } from "./full-shop.ts";
import type { FullShop } from "./full-shop.ts";
import { statementsOf } from "./statements.ts";

vi.mock("@prisma/adapter-pg", async (original) => {
  const { recording } = await import("./statements.ts");
  return recording(await original());
});

const AT_MOST = 12;

let full: FullShop;
beforeAll(async () => {
  full = await openFullShop();
  const organisation = await organisationOf(shop.shopDomain, "test");
  await writeHistory(db, {
    shop: shop.shopDomain,
    orders: 1_000,
    references: 300,
    organisation: organisation?.id ?? null,
  });
  // Years of orders are counted by the hourly job; a page counts the days that changed since, here one.
  await recountAllAttachment();
  await db.insuredUnit.updateMany({
    where: { shop: shop.shopDomain, orderId: full.ids["orderId"] ?? "" },
    data: { premiumMinor: { increment: 1 } },
  });
});

const loaders = doors.filter(({ kind }) => kind === "loader");

test.each(loaders)(`$name needs at most ${AT_MOST} statements`, async ({ id, handler }) => {
  const params = Object.fromEntries(paramsOf(id).map((name) => [name, full.ids[name] ?? ""]));
  const request = await adminRequest(`${pathOf(id, params)}?variant=${full.ids["variantId"] ?? ""}`);
  const statements = await statementsOf(() => answerOf(handler, request, params));
  // The session and the merchant at least: a recorder that hears nothing would find every page cheap.
  expect(statements.length).toBeGreaterThanOrEqual(2);
  expect(statements.length, statements.join("\n")).toBeLessThanOrEqual(AT_MOST);
  if (process.env["PRINT_QUERY_COUNTS"]) console.log(`${statements.length} ${id}`);
});

test.each(proxyDoors)(
  "$name needs no more statements for 40 variants than for two",
  async ({ id, kind, handler }) => {
    const front = { shopDomain: shop.shopDomain, apiSecret: secrets.apiSecret };
    const rows = await db.shopVariant.findMany({ where: { shop: shop.shopDomain }, take: 40 });
    const variantIds = rows.map(({ variantId }) => variantId);
    const statementsFor = async (ids: string[]) => {
      const query = signedQuery(new URLSearchParams({ variants: ids.join() }), "/apps/parasol", front);
      const lines = ids.map((variant_id) => ({ key: variant_id, variant_id, quantity: 1, price: 100 }));
      const sent = kind === "action" ? { method: "POST", body: JSON.stringify({ lines }) } : {};
      const request = new Request(`http://app.test${pathOf(id)}?${query.toString()}`, sent);
      return (await statementsOf(() => answerOf(handler, request))).length;
    };
    expect(await statementsFor(variantIds)).toBeLessThanOrEqual(await statementsFor(variantIds.slice(0, 2)));
  },
);
